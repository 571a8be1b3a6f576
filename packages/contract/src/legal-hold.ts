import { z } from 'zod';
import { defineRoutes, empty, ok } from './route.ts';
import { dateTime } from './scalars.ts';
import { filledText } from './text.ts';

export const legalHoldRoutes = defineRoutes('Operations', {
  'GET /api/admin/legal-hold': {
    summary: 'Get whether a legal hold is in force',
    access: { permission: 'ADMIN' },
    answers: ok({
      enabled: z.boolean(),
      reason: z.string().nullable().meta({ description: 'The reason of the last change; null when there was none' }),
      changedAt: dateTime.nullable(),
      changedBy: z.string().nullable(),
    }),
  },
  'POST /api/admin/legal-hold': {
    summary: 'Begin or end a legal hold: while in force, retention deletes no events, runs, signals and delivery logs',
    access: { permission: 'ADMIN' },
    body: z.object({ enabled: z.boolean(), reason: filledText(1000) }),
    answers: { 204: empty },
    emits: ['setting-created', 'setting-updated'],
  },
});
