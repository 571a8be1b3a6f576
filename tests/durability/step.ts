import type { HttpCall } from './http-call.ts';
import type { SentChange } from './ledger.ts';

/** One change to ask for. */
export interface Step extends SentChange {
  readonly request: Omit<HttpCall, 'token'>;
  /** Returns the next steps from the answer. */
  readonly next?: (body: unknown) => Step[];
}
