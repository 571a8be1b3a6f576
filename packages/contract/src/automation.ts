import { z } from 'zod';
import { defineRoutes, json } from './route.ts';
import { plainText } from './text.ts';

const freeze = z.object({ frozen: z.boolean(), reason: z.string().nullable() });

/** One switch for everything that changes flags by itself. */
export const automationRoutes = defineRoutes({
  'GET /api/admin/automation': {
    tag: 'Actions',
    summary: 'Whether all automation is frozen',
    access: 'signed-in',
    answers: { 200: json(freeze) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/automation': {
    tag: 'Actions',
    summary: 'Freeze all automation, or let it go on',
    description:
      'While it is frozen no action changes anything; runs are recorded as skipped, and are not made up for.',
    access: { permission: 'ADMIN' },
    body: z.strictObject({ frozen: z.boolean(), reason: plainText(1000).nullable().optional() }),
    answers: { 200: json(freeze) },
    errors: [],
    emits: ['setting-created', 'setting-updated'],
  },
});
