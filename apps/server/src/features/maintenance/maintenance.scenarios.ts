import type { Scenario } from '../../../testing/scenario.ts';

export const maintenanceScenarios: readonly Scenario[] = [
  { route: 'GET /api/admin/maintenance', name: 'tells whether there is', status: 200, answer: { enabled: false } },
  { route: 'GET /api/admin/maintenance', name: 'is closed to an editor', as: 'editor', status: 403 },
  {
    route: 'POST /api/admin/maintenance',
    name: 'ends what has not begun, which changes nothing',
    call: { body: { enabled: false } },
    status: 204,
    events: [],
  },
  {
    route: 'POST /api/admin/maintenance',
    name: 'begins for the first time',
    call: { body: { enabled: true } },
    status: 204,
    events: [{ type: 'setting-created', data: { id: 'maintenance.mode', enabled: true }, preData: null }],
  },
  {
    route: 'POST /api/admin/maintenance',
    name: 'ends',
    given: async (server) => {
      await server.admin.call('POST /api/admin/maintenance', { body: { enabled: true } });
      return { body: { enabled: false } };
    },
    status: 204,
    events: [
      {
        type: 'setting-updated',
        data: { id: 'maintenance.mode', enabled: false },
        preData: { id: 'maintenance.mode', enabled: true },
      },
    ],
  },
  {
    route: 'POST /api/admin/maintenance',
    name: 'refuses what is neither yes nor no',
    call: { body: { enabled: 'soon' } },
    status: 400,
    answer: { details: [{ path: 'enabled' }] },
  },
  {
    route: 'POST /api/admin/maintenance',
    name: 'is closed to a viewer',
    call: { body: { enabled: true } },
    as: 'viewer',
    status: 403,
  },
];
