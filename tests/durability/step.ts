import type { HttpCall } from './http-call.ts';
import type { SentChange } from './ledger.ts';

/** A change to send, and the steps that follow it. */
export interface Step extends SentChange {
  readonly request: Omit<HttpCall, 'token'>;
  /** Returns the next steps, given the body of the answer. */
  readonly next?: (body: unknown) => Step[];
}
