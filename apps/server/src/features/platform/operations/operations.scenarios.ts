import { refused, type Scenario } from '#testing/scenario.ts';

const route = 'POST /api/admin/event-exports' as const;
const body = { format: 'csv', events: 12, filters: { type: 'IS:user-created' } };

export const operationsScenarios: readonly Scenario[] = [
  { route, name: 'records an export', call: { body }, events: [{ type: 'events-exported', data: body }] },
  ...refused(route, 400, {
    'refuses an unknown format': { body: { ...body, format: 'xml' } },
  }),
];
