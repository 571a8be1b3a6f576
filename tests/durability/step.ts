import type { HttpCall } from './http-call.ts';
import type { SentChange } from './ledger.ts';

/** One change to ask for. */
export interface Step extends SentChange {
  readonly request: Omit<HttpCall, 'token'>;
  /** What comes after it, made of what it answered. */
  readonly next?: (body: unknown) => Step[];
}
