/** Who does something, as the event log names them (docs/spec#event-fields). */
export interface Actor {
  readonly userId: number;
  readonly name: string;
}

/** What made a change happen, so that one can walk from a flag change back to the signal (design 3 "Causes"). */
export interface Cause {
  readonly requestId?: string;
  readonly signalId?: number;
  readonly runId?: number;
}

/** Where a permission is asked for: a project, an environment of it, or neither (root). */
export interface PermissionScope {
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
}

/** An actor with the cause of what it does: what every change must name. */
export interface Author {
  readonly actor: Actor;
  readonly cause: Cause;
  /**
   * Whether the actor holds a permission, for what is decided when a change commits. Without it the service itself may
   * do everything, and anybody else nothing that is asked for then.
   */
  readonly can?: (permission: string, scope?: PermissionScope) => boolean;
  /** Private projects that the actor is not to know of; absent when there are none. */
  readonly hidden?: ReadonlySet<string>;
  /** The reason for breaking glass, as the request gave it: percent-encoded, and not yet checked. */
  readonly breakGlassReason?: string;
}

export const systemActor: Actor = { userId: -1337, name: 'unleash_system_user' };
export const adminTokenUserId = -42;
export const anonymousActor: Actor = { userId: -1, name: 'unknown' };
