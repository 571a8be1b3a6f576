import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id, instant } from './scalars.ts';
import { filledText } from './text.ts';

const permission = 'OVERRIDE_AUTOMATION';

/** The recorded values of an override. */
export const overrideDataSchema = z.object({
  reason: z.string(),
  endsAt: dateTime.nullable().meta({ description: 'Null for an override that lasts until it is ended' }),
  placedBy: z.object({ id: z.number().int(), name: z.string() }),
  placedAt: dateTime,
});

/** The recorded values of the end of an override, after which alerts would hold its flag. */
export const outlastedDataSchema = z.object({
  alerts: z
    .array(
      z.object({
        runId: id.meta({ description: 'The run that waits for a person' }),
        actionSetId: id,
        name: z.string().meta({ description: 'The name of the action set' }),
        signalId: id,
      }),
    )
    .meta({ description: 'The alerts that fire, each with the action that would hold the flag for it; 10 at most' }),
  total: z.number().int().meta({ description: 'The number of these alerts' }),
});

/** An override: automation changes nothing on a flag in an environment for a time. */
export const overrideSchema = overrideDataSchema.extend({
  id,
  project: z.string(),
  featureName: z.string(),
  environment: z.string(),
});

/** Overrides keep automation off flags (docs/adr/0104-stop-all-automation-by-one-table.md). */
export const overrideRoutes = defineRoutes('Automation overrides', {
  'GET /api/admin/automation-overrides': {
    summary: 'List the overrides in force, newest first, in the projects that the caller can see; 1000 at most',
    access: 'signed-in',
    answers: ok({ overrides: z.array(overrideSchema) }),
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override': {
    summary: 'Keep automation off a flag in an environment',
    description:
      'Until the override ends, runs that would change the flag there are recorded as skipped, with its reason; runs that only release a hold are not. Needs no review, since it returns the reviewed state. It replaces an earlier override.',
    access: { permission },
    duringMaintenance: true,
    body: z.strictObject({
      reason: filledText(1000),
      endsAt: instant.nullable().optional().meta({ description: 'Without it the override lasts until it is ended' }),
      holds: z
        .enum(['release', 'keep'])
        .default('release')
        .meta({ description: 'Whether the holds that actions have placed there are released' }),
    }),
    answers: { 200: json(overrideSchema) },
    emits: [
      'feature-override-placed',
      'feature-override-updated',
      'feature-lease-released',
      'feature-effective-state-changed',
    ],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override': {
    summary: 'End an override',
    description:
      'An alert that would hold the flag and still fires is told by an event, and its hold waits for a person on Now.',
    access: { permission },
    duringMaintenance: true,
    answers: { 200: empty },
    emits: ['feature-override-ended', 'feature-override-outlasted'],
  },
});
