import type { Scenario } from '#testing/scenario.ts';

const read = 'GET /api/admin/legal-hold' as const;
const change = 'POST /api/admin/legal-hold' as const;
const begin = { body: { enabled: true, reason: 'Case 4711' } };

export const legalHoldScenarios: readonly Scenario[] = [
  {
    route: read,
    name: 'returns that no legal hold is in force',
    answer: { enabled: false, reason: null, changedAt: null, changedBy: null },
  },
  {
    route: change,
    name: 'records nothing when no legal hold is in force already',
    call: { body: { enabled: false, reason: 'Nothing to end' } },
    events: [],
  },
  {
    route: change,
    name: 'begins a legal hold with its reason',
    call: begin,
    events: [{ type: 'setting-created', data: { id: 'legal-hold', enabled: true, reason: 'Case 4711' } }],
  },
  {
    route: change,
    name: 'ends the legal hold with a reason of its own',
    given: async (server) => {
      await server.admin.call(change, begin);
      return { body: { enabled: false, reason: 'Case closed' } };
    },
    events: [
      {
        type: 'setting-updated',
        data: { id: 'legal-hold', enabled: false, reason: 'Case closed' },
        preData: { id: 'legal-hold', enabled: true, reason: 'Case 4711' },
      },
    ],
  },
];
