import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Input, type RouteKey } from './api.ts';

/**
 * Returns the query that reads a route of the contract. Its key is the route with the input: equal reads share one
 * answer, and a change invalidates all reads of a route by its name. `select` picks the part that the caller needs.
 */
export function apiQuery<K extends RouteKey, Data = Answer<K>>(
  route: K,
  ...[input, select]: Record<never, never> extends Input<K>
    ? [input?: Input<K>, select?: (answer: Answer<K>) => Data]
    : [input: Input<K>, select?: (answer: Answer<K>) => Data]
) {
  const queryKey: QueryKey = [route, input ?? {}];
  return queryOptions({
    queryKey,
    queryFn: () => read(route, input),
    ...(select === undefined ? {} : { select }),
  });
}

/** Calls {@link api} with an input that is known to be complete. */
const read = api as <K extends RouteKey>(route: K, input: Input<K> | undefined) => Promise<Answer<K>>;
