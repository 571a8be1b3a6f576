import { expect } from 'vitest';
import { recordEvents } from '#testing/event-log.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

/**
 * Returns an event of a flag. Each scenario uses its own project, so that it does not see the events of other
 * scenarios.
 */
const enabled = (project: string, featureName: string) =>
  ({ type: 'feature-environment-enabled', project, featureName, environment: 'production' }) as const;

export const eventScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/events',
    name: 'shows the newest event first',
    given: async (server) => {
      await recordEvents(server.app, [enabled('listed', 'a'), enabled('listed', 'b')]);
      return { query: { project: 'listed' } };
    },
    answer: { version: 1, totalEvents: 2, events: [{ featureName: 'b' }, { featureName: 'a' }] },
  },
  {
    route: 'GET /api/admin/events/:featureName',
    name: 'shows all events of a flag',
    given: async (server) => {
      await recordEvents(server.app, [enabled('p', 'shown'), enabled('p', 'another')]);
      return { params: { featureName: 'shown' } };
    },
    answer: { version: 1, toggleName: 'shown', totalEvents: 1, events: [{ featureName: 'shown' }] },
  },
  {
    route: 'GET /api/admin/search/events',
    name: 'finds the events of a project',
    as: 'viewer',
    given: async (server) => {
      await recordEvents(server.app, [enabled('found', 'a')]);
      return { query: { project: 'IS:found' } };
    },
    answer: { total: 1, totalRelation: 'eq', events: [{ featureName: 'a', label: 'Flag enabled' }] },
  },
  ...refused('GET /api/admin/search/events', 400, {
    'refuses a filter of another form': { query: { project: 'found' } },
  }),
  {
    route: 'GET /api/admin/event-creators',
    name: 'names who caused events',
    as: 'viewer',
    given: async (server) => {
      await recordEvents(server.app, [enabled('p', 'a')], 4711);
      return {};
    },
    check: ({ json }) => expect(json).toContainEqual({ id: 4711, name: 'user-4711@example.com' }),
  },
  {
    route: 'GET /api/admin/newest',
    name: 'counts on with each event',
    as: 'viewer',
    given: async (server) => {
      await recordEvents(server.app, [enabled('p', 'a')], 4711);
      return {};
    },
    check: async ({ json }, server) => {
      const { events } = (await server.admin.call('GET /api/admin/search/events', { query: { limit: 1 } })).json;
      expect(json).toMatchObject({ eventId: events[0].id });
    },
  },
  ...refused('GET /api/admin/events', 400, {
    'refuses a cursor that is no id': { query: { after: 'x' } },
  }),
  ...refused('GET /api/admin/events/:featureName', 400, {
    'refuses a name that no database could hold': { params: { featureName: 'a\0b' } },
  }),
];
