import { errorMessage } from '../../lib/error-messages.ts';

/** A flag in an environment. */
export interface Place {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
}

/** Calls `run` for all places at once. Returns the failures in words: "search in production: …". */
export async function failuresOf<P extends Place>(
  places: readonly P[],
  run: (place: P) => Promise<unknown>,
): Promise<string[]> {
  const results = await Promise.allSettled(places.map(run));
  return places.flatMap(({ featureName, environment }, index) => {
    const result = results[index];
    return result?.status === 'rejected' ? [`${featureName} in ${environment}: ${errorMessage(result.reason)}`] : [];
  });
}
