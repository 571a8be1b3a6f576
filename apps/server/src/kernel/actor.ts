/** Who does something, as the event log names them (unleash-facts 3.1 `createdBy`, `createdByUserId`). */
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

/** An actor with the cause of what it does: what every change must name. */
export interface Author {
  readonly actor: Actor;
  readonly cause: Cause;
}

export const systemActor: Actor = { userId: -1337, name: 'unleash_system_user' };
export const adminTokenUserId = -42;
export const anonymousActor: Actor = { userId: -1, name: 'unknown' };
