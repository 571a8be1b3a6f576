import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenEndpoint } from '#testing/signals.ts';

const byId = async (server: TestServer) => ({ params: { id: (await givenEndpoint(server)).id } });

/** Scenarios of endpoints that expect a signal with filters. */
export const expectedSignalScenarios: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/signal-endpoints/:id',
    name: 'expects the signals that pass a filter',
    given: async (server) => {
      const expectedFilters = { status: { operator: 'IN', values: ['firing'] } };
      return { ...(await byId(server)), body: { name: 'expecting', expectedMinutes: 5, expectedFilters } };
    },
    answer: { expectedMinutes: 5, expectedFilters: { status: { operator: 'IN', values: ['firing'] } } },
    events: [
      {
        type: 'signal-endpoint-updated',
        preData: { expectedFilters: {} },
        data: { expectedFilters: { status: { operator: 'IN', values: ['firing'] } } },
      },
    ],
  },
  ...refused('PUT /api/admin/signal-endpoints/:id', 400, {
    'refuses a filter whose path is invalid': async (server) => {
      const expectedFilters = { 'alerts[x]': { operator: 'IN', values: ['firing'] } };
      return { ...(await byId(server)), body: { name: 'expecting', expectedMinutes: 5, expectedFilters } };
    },
  }),
];
