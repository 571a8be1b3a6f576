import { z } from 'zod';
import { holdEffects, holdSchema } from './hold.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { instant, label, paging } from './scalars.ts';
import { filledText } from './text.ts';

const listed = holdSchema.extend({
  actionSetName: z.string().nullable().meta({
    description:
      'The name of the set of actions that holds the flag; null for people, for deleted sets, and for callers without READ_ACTIONS in the project',
  }),
  project: z.string(),
  featureName: z.string(),
  environment: z.string(),
  inForce: z.boolean().meta({
    description: 'Of several holds on a flag in an environment, one is in force; the others take effect when it ends',
  }),
});

/** A hold with the state that the flag gets when the hold ends. */
export const heldSchema = listed.extend({
  configuredOn: z.boolean().meta({ description: 'Whether the flag is configured to be on' }),
  afterRelease: z
    .object({ effect: z.enum(holdEffects), rollout: z.number().int().nullable(), name: z.string() })
    .nullable()
    .meta({
      description: 'The hold that is in force once this one is released; null: the configured state',
    }),
});

const newHold = z
  .object({
    effect: z.enum(holdEffects),
    rollout: z.number().int('must be a whole percentage').min(0).max(100).optional(),
    milestone: label(100).optional().meta({
      description:
        'With the effect `milestone`, the milestone of the release plan: `previous`, `first`, or the name of one before the active one',
    }),
    reason: filledText(1000).nullable().optional(),
    expiresAt: instant
      .nullable()
      .optional()
      .meta({ description: 'The end of the hold; without it the hold lasts until it is released' }),
    key: label(200).optional().meta({
      description:
        'The key of the hold, chosen by the holder. Placing a hold with the same key again updates it. Defaults to a key of the caller. Only the user of that id can use `user:<id>`',
    }),
  })
  .refine(({ effect, rollout }) => (effect === 'rollout') === (rollout !== undefined), {
    path: ['rollout'],
    message: 'must be given when the effect is rollout, and only then',
  })
  .refine(({ effect, milestone }) => (effect === 'milestone') === (milestone !== undefined), {
    path: ['milestone'],
    message: 'must be given when the effect is milestone, and only then',
  });

const permission = 'UPDATE_FEATURE_ENVIRONMENT';

/** A caller with only the second one may hold a flag off or at an earlier milestone. */
const holdPermissions = [permission, 'LOWER_EXPOSURE'] as const;

/**
 * A caller needs the first or the second one to release a hold of an action set, and the first one to release a hold of
 * another person.
 */
const releasePermissions = [permission, 'OVERRIDE_AUTOMATION', 'LOWER_EXPOSURE'] as const;

/** Holds keep flags off, on or at a percentage for a while without changing their configuration. */
export const holdRoutes = defineRoutes('Holds', {
  'GET /api/admin/leases': {
    summary: 'List the holds on flags of all projects that the caller can see, newest first',
    access: 'signed-in',
    query: z.object(paging(100, 1000)),
    answers: ok({ leases: z.array(heldSchema), total: z.number().int() }),
  },
  'GET /api/admin/projects/:projectId/leases': {
    summary: 'List the holds on flags of a project, newest first',
    access: 'signed-in',
    query: z.object(paging(100, 1000)),
    answers: ok({ leases: z.array(listed), total: z.number().int() }),
  },
  'GET /api/admin/projects/:projectId/features/:featureName/leases': {
    summary: 'List the holds on a flag in all environments, newest first',
    access: 'signed-in',
    answers: ok({ leases: z.array(listed) }),
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases': {
    summary:
      'Hold a flag off, on, at a percentage or at an earlier milestone in an environment, over its configured state',
    description:
      "Of several holds, off beats a percentage, a lower percentage beats a higher one, and any percentage beats on. When the last hold is released or expires, the flag returns to its configured state, including changes made meanwhile. A percentage replaces the rollout of gradual rollout strategies and of strategies for everyone; other strategies stay as they are. A hold on, or at a percentage, of a flag without an active strategy applies to everyone. A milestone is one before the active one of the release plan, and the plan is halted meanwhile. Where changes are reviewed, holding a flag off or at a milestone needs no review, holding it on or at a percentage needs SKIP_CHANGE_REQUEST, and only the holder or a caller with SKIP_CHANGE_REQUEST may shorten or replace a person's hold. A caller with only LOWER_EXPOSURE gives a reason and an end, and holds the flag off or at a milestone, when no user gets it, or a child of it, who did not before. So do all callers during maintenance, with or without an end.",
    access: { permission: holdPermissions },
    duringMaintenance: true,
    body: newHold,
    answers: { 200: json(listed), 201: json(listed) },
    errors: [409],
    emits: ['feature-lease-placed', 'feature-lease-updated', 'feature-effective-state-changed'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId': {
    summary: 'Release a hold',
    description:
      "A caller with only OVERRIDE_AUTOMATION may release the holds of actions, not those of people. A caller with only LOWER_EXPOSURE may release own holds. Where changes are reviewed, only the holder or a caller with SKIP_CHANGE_REQUEST may release a person's hold.",
    access: { permission: releasePermissions },
    duringMaintenance: true,
    answers: { 200: empty },
    emits: ['feature-lease-released', 'feature-effective-state-changed'],
  },
});
