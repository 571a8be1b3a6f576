import { z } from 'zod';
import { defineRoutes, json } from './route.ts';
import { dateTime } from './scalars.ts';
import { plainText } from './text.ts';

const freeze = z.object({
  frozen: z.boolean(),
  reason: z.string().nullable(),
  frozenBy: z.string().nullable().meta({ description: 'Who froze it; null while it is not frozen' }),
  frozenAt: dateTime.nullable(),
});

/** The freeze: one switch that pauses all automation. */
export const freezeRoutes = defineRoutes('Actions', {
  'GET /api/admin/automation': {
    summary: 'Get whether all automation is frozen',
    access: 'signed-in',
    answers: { 200: json(freeze) },
  },
  'POST /api/admin/automation': {
    summary: 'Freeze all automation, or resume it',
    description:
      'While automation is frozen, actions change nothing. Runs that release holds wait until it is resumed. Runs that hold flags then wait for a person, for 24 hours and until their alert ends. All other runs are recorded as skipped and are not repeated later.',
    access: { permission: 'FREEZE_AUTOMATION' },
    duringMaintenance: true,
    body: z.strictObject({ frozen: z.boolean(), reason: plainText(1000).nullable().optional() }),
    answers: { 200: json(freeze) },
    emits: ['setting-created', 'setting-updated', 'automation-frozen', 'automation-resumed'],
  },
});
