import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type Consumer = Answer<'GET /api/admin/event-consumers'>['consumers'][number];

export const consumerPermission = ['ADMIN', 'UPDATE_EVENT_CONSUMERS'] as const;

export const consumersQuery = apiQuery('GET /api/admin/event-consumers');

/** Returns the filters of a consumer as text: "Types: feature-created · Projects: default", or "All events". */
export function filtersText({ types, projects, environments, features }: Consumer): string {
  const parts = [
    ['Types', types],
    ['Projects', projects],
    ['Environments', environments],
    ['Flags', features],
  ] as const;
  const given = parts.flatMap(([label, values]) => (values === null ? [] : `${label}: ${values.join(', ')}`));
  return given.length === 0 ? 'All events' : given.join(' · ');
}
