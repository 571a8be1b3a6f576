import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type FeatureStrategy =
  Answer<'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies'>[number];
/** A strategy type with its parameters. */
export type StrategyType = Answer<'GET /api/admin/strategies'>['strategies'][number];

export const definitionsQuery = queryOptions({
  ...apiQuery('GET /api/admin/strategies', {}, ({ strategies }) => strategies),
  staleTime: 60_000,
});

export const segmentsQuery = queryOptions({
  ...apiQuery('GET /api/admin/segments', {}, ({ segments }) => segments),
  staleTime: 60_000,
});

/** Returns the title of a strategy type: "Gradual rollout". */
export function titleOf(name: string, definitions: readonly StrategyType[] | undefined): string {
  const definition = definitions?.find((known) => known.name === name);
  return definition?.displayName ?? definition?.title ?? name;
}
