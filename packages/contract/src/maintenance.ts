import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';

const maintenance = z.object({ enabled: z.boolean() });

export const maintenanceRoutes = defineRoutes({
  'GET /api/admin/maintenance': {
    tag: 'Operations',
    summary: 'Get whether maintenance mode is on',
    access: { permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'] },
    answers: { 200: json(maintenance) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/maintenance': {
    tag: 'Operations',
    summary: 'Turn maintenance mode on or off: while on, changes are refused; SDKs and signals are served',
    description:
      'Flags can still be held off or at an earlier milestone, holds released, automation overridden and frozen, and release plans paused.',
    access: { permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'] },
    duringMaintenance: true,
    body: maintenance,
    answers: { 204: empty },
    errors: [],
    emits: ['setting-created', 'setting-updated'],
  },
});
