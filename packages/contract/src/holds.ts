import { z } from 'zod';
import { inFlag, inProject } from './flags.ts';
import { holdEffects, holdSchema } from './hold.ts';
import { defineRoutes, empty, json } from './route.ts';
import { idParam, instant, label, paging } from './scalars.ts';
import { inFlagEnvironment } from './strategies.ts';
import { filledText } from './text.ts';

const tag = 'Leases';

const listed = holdSchema.extend({
  project: z.string(),
  featureName: z.string(),
  environment: z.string(),
  inForce: z.boolean().meta({ description: 'Of several leases one is in force: the others wait behind it' }),
});

const newLease = z
  .object({
    effect: z.enum(holdEffects),
    rollout: z.number().int('must be a whole percentage').min(0).max(100).optional(),
    reason: filledText(1000).nullable().optional(),
    expiresAt: instant.nullable().optional().meta({ description: 'Until when; without it, until it is released' }),
    key: label(200).optional().meta({
      description:
        'What the holder knows the lease by; the same key again changes it. One for each person when absent. `user:<id>` is for the user of that id alone',
    }),
  })
  .refine(({ effect, rollout }) => (effect === 'rollout') === (rollout !== undefined), {
    path: ['rollout'],
    message: 'must be given where the effect is rollout, and nowhere else',
  });

const permission = 'UPDATE_FEATURE_ENVIRONMENT';

/** What holds flags off, on or at a percentage for a while, without changing how they are configured. */
export const holdRoutes = defineRoutes({
  'GET /api/admin/projects/:projectId/leases': {
    tag,
    summary: 'List what holds flags of a project, the newest first',
    access: 'signed-in',
    params: inProject,
    query: z.object(paging(100, 1000)),
    answers: { 200: json(z.object({ leases: z.array(listed), total: z.number().int() })) },
    errors: [404],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/features/:featureName/leases': {
    tag,
    summary: 'List what holds a flag in its environments, the newest first',
    access: 'signed-in',
    params: inFlag,
    answers: { 200: json(z.object({ leases: z.array(listed) })) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases': {
    tag,
    summary: 'Hold a flag off, on or at a percentage in an environment, whatever is configured there',
    description:
      'Off beats a percentage, a lower percentage a higher one, and any of them on. When the last lease is released or has expired the configured state is back, with what was changed in it meanwhile. At a percentage gradual rollouts and strategies for everyone are at that percentage of those they are for; others stay. Without an active strategy everybody is meant. Where changes are reviewed, only holding off is free, and only its holder or a caller with SKIP_CHANGE_REQUEST may shorten or replace the lease of a person.',
    access: { permission },
    params: inFlagEnvironment,
    body: newLease,
    answers: { 200: json(listed), 201: json(listed) },
    errors: [404],
    emits: ['feature-lease-placed', 'feature-lease-updated', 'feature-effective-state-changed'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId': {
    tag,
    summary: 'Release a lease, whoever holds it',
    description:
      'Where changes are reviewed, the lease of a person is released by that person or by a caller with SKIP_CHANGE_REQUEST there.',
    access: { permission },
    params: inFlagEnvironment.extend({ leaseId: idParam }),
    answers: { 200: empty },
    errors: [404],
    emits: ['feature-lease-released', 'feature-effective-state-changed'],
  },
});
