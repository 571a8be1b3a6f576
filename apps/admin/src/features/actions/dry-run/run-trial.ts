import type { ActionSetBody } from '../../../entities/actions/action-queries.ts';

/** Validates the form and passes its set to `call`, which sends it to the server. Errors are shown at the fields. */
export type RunTrial = <T>(call: (set: ActionSetBody) => Promise<T>) => Promise<T>;
