/** The author of a change as events name it (docs/spec#event-fields). */
export interface Actor {
  readonly userId: number;
  readonly name: string;
}

/** The cause of a change: the request, signal and run that led to it (docs/spec#event-fields). */
export interface Cause {
  readonly requestId?: string;
  readonly signalId?: number;
  readonly runId?: number;
}

/** The origin of a request, which the events of its changes name (docs/spec#event-fields). */
export interface RequestOrigin {
  /** The client's IPv4 address or IPv6 network; null when it is unknown. */
  readonly address: string | null;
  readonly userAgent: string | null;
  /** How the caller was identified; `none` for a caller without credentials. */
  readonly method: AuthenticationMethod;
  readonly sessionId: number | null;
  /**
   * The id of an API token when the method is `admin-token`, otherwise of a personal token or of the token of a service
   * account; null for sessions and callers without credentials.
   */
  readonly tokenId: number | null;
}

export type AuthenticationMethod = 'session' | 'personal-token' | 'service-account-token' | 'admin-token' | 'none';

/** The scope of a permission check: a project, an environment of it, or neither (root). */
export interface PermissionScope {
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
}

/** An actor with the cause of a change. Every write needs an author. */
export interface Author {
  readonly actor: Actor;
  readonly cause: Cause;
  /**
   * Returns whether the actor holds a permission, for checks that run when a change commits. Without this function, the
   * system actor has every permission and other actors have none.
   */
  readonly can?: (permission: string, scope?: PermissionScope) => boolean;
  /** Private projects that the actor must not learn about; absent when there are none. */
  readonly hidden?: ReadonlySet<string>;
  /** The reason for an emergency change without review (break glass). */
  readonly breakGlassReason?: string;
  /** Absent for changes of the server and of action sets. */
  readonly origin?: RequestOrigin;
  /** Why the author makes the change. */
  readonly reason?: string;
}

export const systemActor: Actor = { userId: -1337, name: 'unleash_system_user' };
export const adminTokenUserId = -42;
export const anonymousActor: Actor = { userId: -1, name: 'unknown' };
