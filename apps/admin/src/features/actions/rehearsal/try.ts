import type { ActionSetBody } from '../action-queries.ts';

/** Asks for what is typed in the form to be tried; what is wrong with it is told at its fields. */
export type Try = <T>(call: (set: ActionSetBody) => Promise<T>) => Promise<T>;
