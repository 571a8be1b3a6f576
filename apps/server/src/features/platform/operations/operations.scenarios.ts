import type { Scenario } from '#testing/scenario.ts';

const route = 'POST /api/admin/event-exports' as const;
const body = { format: 'csv', events: 12, filters: { type: 'IS:user-created' } };

export const operationsScenarios: readonly Scenario[] = [
  { route, name: 'records an export', call: { body }, status: 204, events: [{ type: 'events-exported', data: body }] },
  {
    route,
    name: 'refuses an unknown format',
    call: { body: { ...body, format: 'xml' } },
    status: 400,
    answer: { details: [{ path: 'format' }] },
  },
];
