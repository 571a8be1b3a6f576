import type { Scenario } from '#testing/scenario.ts';

export const maintenanceScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/maintenance',
    name: 'returns whether maintenance is on',
    answer: { enabled: false },
  },
  {
    route: 'POST /api/admin/maintenance',
    name: 'records nothing when maintenance is off already',
    call: { body: { enabled: false } },
    events: [],
  },
  {
    route: 'POST /api/admin/maintenance',
    name: 'begins maintenance',
    call: { body: { enabled: true } },
    events: [{ type: 'setting-created', data: { id: 'maintenance.mode', enabled: true }, preData: null }],
  },
  {
    route: 'POST /api/admin/maintenance',
    name: 'ends maintenance',
    given: async (server) => {
      await server.admin.call('POST /api/admin/maintenance', { body: { enabled: true } });
      return { body: { enabled: false } };
    },
    events: [
      {
        type: 'setting-updated',
        data: { id: 'maintenance.mode', enabled: false },
        preData: { id: 'maintenance.mode', enabled: true },
      },
    ],
  },
];
