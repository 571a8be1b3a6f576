import { errorMessage } from '../../lib/error-messages.ts';
import { counted } from '../../ui/counted.ts';
import { firstOf } from './held-group.ts';

/** A flag in an environment. */
export interface Place {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
}

/** A call that failed for a flag in an environment. */
export interface PlaceFailure {
  readonly place: Place;
  readonly message: string;
}

/** Calls `run` for all places concurrently. Returns the calls that failed. */
export async function failuresOf<P extends Place>(
  places: readonly P[],
  run: (place: P) => Promise<unknown>,
): Promise<PlaceFailure[]> {
  const results = await Promise.allSettled(places.map(run));
  return places.flatMap((place, index) => {
    const result = results[index];
    return result?.status === 'rejected' ? [{ place, message: errorMessage(result.reason) }] : [];
  });
}

/**
 * Returns failures in words, each message once: "search in production: …" or "12 holds (search in production, cart in
 * production and 4 more): …".
 */
export function failureText(failures: readonly PlaceFailure[], noun: string): string {
  const byMessage = Map.groupBy(failures, ({ message }) => message);
  return [...byMessage].map(([message, together]) => `${subjectOf(together, noun)}: ${message}`).join(' ');
}

function subjectOf(failures: readonly PlaceFailure[], noun: string): string {
  const names = failures.map(({ place: { featureName, environment } }) => `${featureName} in ${environment}`);
  const list = firstOf([...new Set(names)]);
  return failures.length === 1 ? list : `${counted(failures.length, noun)} (${list})`;
}
