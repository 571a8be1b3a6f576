import type { Actor, PermissionScope } from './actor.ts';

/** A caller of the admin API. */
export interface Identity {
  readonly actor: Actor;
  readonly kind: 'user' | 'service-account' | 'admin-token' | 'anonymous';
  /**
   * The session that identified the caller, after a login with a password or through single sign-on; null for tokens
   * and anonymous callers.
   */
  readonly sessionId: number | null;
  /** The token that identified the caller; null for sessions and anonymous callers. */
  readonly tokenId: number | null;
  /**
   * The time at which the token expires, or the session ends unless it is used, in milliseconds UTC; null or absent
   * when neither does.
   */
  readonly expiresAt?: number | null;
  /** Returns whether the caller holds `permission` in `scope`. ADMIN implies every permission except breaking glass. */
  can(permission: string, scope?: PermissionScope): boolean;
  /** Returns whether the caller holds `permission` for the instance, in any project or in any environment. */
  canSomewhere(permission: string): boolean;
  /** Private projects in which the caller has no role. Answers must not reveal them or their contents. */
  readonly hidden: ReadonlySet<string>;
}

/** The access of a token of an SDK or a replica. */
export interface ReadScope {
  /** Null when authentication is off and no token is needed. */
  readonly tokenId: number | null;
  readonly tokenName: string;
  /** `['*']` for all. */
  readonly projects: readonly string[];
  /** `*` for all, which only a replica has. */
  readonly environment: string;
}

/** An SDK with the scope of its token: flags of `projects` (`*` for all) in one environment. */
export interface SdkCaller extends ReadScope {
  readonly type: 'backend' | 'frontend';
}
