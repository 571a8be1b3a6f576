import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';

const maintenance = z.object({ enabled: z.boolean() });

export const maintenanceRoutes = defineRoutes({
  'GET /api/admin/maintenance': {
    tag: 'Operations',
    summary: 'Whether the service is in maintenance',
    access: { permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'] },
    answers: { 200: json(maintenance) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/maintenance': {
    tag: 'Operations',
    summary: 'Begin or end maintenance: while it lasts nothing can be changed, and SDKs and signals are served as ever',
    access: { permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'] },
    body: maintenance,
    answers: { 204: empty },
    errors: [],
    emits: ['setting-created', 'setting-updated'],
  },
});
