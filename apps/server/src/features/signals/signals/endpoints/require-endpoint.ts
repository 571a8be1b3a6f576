import type { FilterLimits } from '#features/platform/payload-filters/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import type { SignalEndpoint } from './endpoint.ts';
import { findEndpoint } from './store.ts';

/** The advice in the error for a reached limit. */
export const deleteAdvice = 'Delete one that is no longer used.';

/** The limits of endpoints (docs/spec#signal-limits). */
export interface SignalLimits {
  /** The maximum number of endpoints of the instance. */
  readonly endpoints: number;
  readonly tokensPerEndpoint: number;
  /** The limits of the filters of an expected signal, which are those of action sets. */
  readonly expected: FilterLimits;
}

/** Returns the endpoint. Rejects with 404 when it does not exist. */
export async function requireEndpoint(db: Db, id: number): Promise<SignalEndpoint> {
  const endpoint = await findEndpoint(db, id);
  if (endpoint === undefined) throw new Problem('NotFoundError', `There is no signal endpoint ${id}.`);
  return endpoint;
}
