import { givenFlag } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

export const flagSearchScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/search/features',
    name: 'finds flags by a part of their name',
    given: async (server) => {
      const { featureName } = await givenFlag(server, { description: 'searched for' });
      return { query: { query: featureName } };
    },
    answer: { total: 1, features: [{ description: 'searched for', project: 'default' }] },
  },
  ...refused('GET /api/admin/search/features', 400, {
    'rejects an unknown filter value': { query: { type: 'IS:nonsense' } },
  }),
];
