import { givenFlag } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';

export const flagSearchScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/search/features',
    name: 'finds flags by a part of their name',
    given: async (server) => {
      const { featureName } = await givenFlag(server, { description: 'searched for' });
      return { query: { query: featureName } };
    },
    status: 200,
    answer: { total: 1, features: [{ description: 'searched for', project: 'default' }] },
  },
  {
    route: 'GET /api/admin/search/features',
    name: 'rejects an unknown filter value',
    call: { query: { type: 'IS:nonsense' } },
    status: 400,
    answer: { name: 'BadDataError', details: [{ path: 'type' }] },
  },
];
