import type { Actor, PermissionScope } from './actor.ts';

/** A caller of the administration API. */
export interface Identity {
  readonly actor: Actor;
  readonly kind: 'user' | 'service-account' | 'admin-token' | 'anonymous';
  /** The session of a caller that logged in with a password; null for tokens. */
  readonly sessionId: number | null;
  /** Whether the caller holds `permission` in `scope`; ADMIN implies every permission. */
  can(permission: string, scope?: PermissionScope): boolean;
  /** Whether the caller holds `permission` for the instance, in some project or in some environment. */
  canSomewhere(permission: string): boolean;
  /** Private projects that the caller has no part in: to them neither these exist nor anything in them. */
  readonly hidden: ReadonlySet<string>;
}

/** What an SDK's token opens: flags of `projects` (`*` for all) in one environment. */
export interface SdkCaller {
  readonly type: 'backend' | 'frontend';
  /** Null where no token is asked for. */
  readonly tokenId: number | null;
  readonly tokenName: string;
  readonly projects: readonly string[];
  readonly environment: string;
}

/** A sender of signals, identified by a token of the very endpoint it calls. */
export interface SignalCaller {
  readonly endpointId: number;
  readonly tokenId: number;
}
