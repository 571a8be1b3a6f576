import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';

const maintenance = z.object({ enabled: z.boolean() });

export const maintenanceRoutes = defineRoutes('Operations', {
  'GET /api/admin/maintenance': {
    summary: 'Get whether maintenance mode is on',
    access: { permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'] },
    answers: { 200: json(maintenance) },
  },
  'POST /api/admin/maintenance': {
    summary: 'Turn maintenance mode on or off: while on, changes are refused; SDKs and signals are served',
    description:
      'Flags can still be held off or at an earlier milestone, holds released, automation overridden and frozen, and release plans paused.',
    access: { permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'] },
    duringMaintenance: true,
    body: maintenance,
    answers: { 204: empty },
    emits: ['setting-created', 'setting-updated'],
  },
});
