import { expect } from 'vitest';
import { recordEvents } from '#testing/event-log.ts';
import type { Scenario } from '#testing/scenario.ts';

const route = 'GET /api/admin/events/feed';

export const eventFeedScenarios: readonly Scenario[] = [
  {
    route,
    name: 'is oldest first',
    as: 'viewer',
    given: async (server) => {
      await recordEvents(server.app, [
        { type: 'feature-environment-enabled', project: 'fed', featureName: 'first', environment: 'production' },
        { type: 'feature-environment-disabled', project: 'fed', featureName: 'second', environment: 'production' },
      ]);
      return { query: { project: 'fed' } };
    },
    status: 200,
    answer: { hasMore: false },
    check: ({ json }) =>
      expect(json.events.map(({ featureName }: { featureName: string }) => featureName)).toEqual(['first', 'second']),
  },
];
