import { type EventType, eventTypes } from './event-types.ts';

/** The classes of events, each of which has a retention of its own (docs/spec#event-retention). */
export type EventClass = 'changes' | 'sign-in' | 'refusals' | 'operations';

/** The types of each class but `changes`, which holds all other types. */
const classed: Readonly<Record<Exclude<EventClass, 'changes'>, readonly EventType[]>> = {
  'sign-in': ['user-logged-in', 'user-logged-out', 'session-ended', 'login-failed'],
  refusals: ['change-refused', 'signals-refused'],
  operations: [
    'server-started',
    'backup-made',
    'database-restored',
    'log-went-back',
    'events-exported',
    'streams-ended',
  ],
};

const notChanges = new Set<EventType>(Object.values(classed).flat());

/** The event types of each class. */
export const typesOfEventClass: Readonly<Record<EventClass, readonly EventType[]>> = {
  changes: eventTypes.filter((type) => !notChanges.has(type)),
  ...classed,
};
