import type { ActionSetBody } from '../action-queries.ts';

/** Validates the form and calls the server with its set. Errors are shown at the fields. */
export type RunTrial = <T>(call: (set: ActionSetBody) => Promise<T>) => Promise<T>;
