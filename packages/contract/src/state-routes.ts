import { z } from 'zod';
import { createdTokenSchema, installationSchema } from './installation.ts';
import { defineRoutes, stream } from './route.ts';
import { dateTime, id } from './scalars.ts';
import { stateChangeSchema, stateSchema } from './state.ts';
import { featureNameText, plainText } from './text.ts';

const prune = z.boolean().default(false).meta({
  description:
    'In the projects of the state: archive flags that the state does not name, and, where the state names action sets, disable the others',
});
const installation = installationSchema.optional().meta({
  description:
    'Objects that are created if they are missing: environments, custom strategies, tags, users and API tokens. Needs ADMIN',
});
const archive = z.array(featureNameText).max(100_000).default([]).meta({
  description:
    'Flags to archive, of any project. Flags that do not exist, are archived or are in the state are left alone',
});
const skipped = z
  .array(z.object({ message: z.string(), names: z.array(z.string()) }))
  .optional()
  .meta({ description: 'Parts of the installation that cannot be created, with the reason' });
const changes = z.array(stateChangeSchema);
const switchedOff = z
  .array(
    z.object({
      project: z.string(),
      featureName: z.string(),
      environment: z.string(),
      by: z.string(),
      at: dateTime,
      reason: z.string().nullable(),
      event: id,
    }),
  )
  .meta({
    description:
      'Flags that the state would switch on, and that were switched off by other means than a state since it was pulled, or since a state last described them as off: who, when and why. Apply refuses them without `override`',
  });
const changeRequests = z.boolean().default(false).meta({
  description:
    'Sends to review, as change requests, what has to be reviewed: strategies, variants and switches of flags, dependencies, and archiving. Other reviewed changes are refused',
});
const override = z.boolean().default(false).meta({
  description: 'Switches on also what was switched off by other means than a state',
});

/** A caller with one of these permissions may send large bodies to the import and state routes. */
export const changesManyFlags = [
  'CREATE_FEATURE',
  'UPDATE_FEATURE',
  'DELETE_FEATURE',
  'CREATE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  'CREATE_SEGMENT',
  'UPDATE_SEGMENT',
  'UPDATE_PROJECT_SEGMENT',
  'CREATE_CONTEXT_FIELD',
  'UPDATE_CONTEXT_FIELD',
  'UPDATE_PROJECT_CONTEXT',
] as const;

/** State as code: export, plan and apply the state of projects and flags. */
export const stateRoutes = defineRoutes('State as code', {
  'GET /api/admin/state': {
    summary: 'Export the state of projects, flags and related objects',
    description: 'Archived projects and flags are left out. The answer can be applied.',
    access: 'signed-in',
    query: z.object({
      projects: plainText(100_000)
        .optional()
        .meta({ description: 'Project ids, separated by commas; all projects when absent' }),
    }),
    answers: { 200: stream(stateSchema) },
    errors: [404],
  },
  'POST /api/admin/state/plan': {
    summary: 'Plan the changes that applying a state would make, with errors and missing permissions',
    description: 'Changes nothing.',
    access: 'signed-in',
    body: z.object({ state: stateSchema, prune, archive, installation, changeRequests }),
    largeBody: changesManyFlags,
    answers: {
      200: stream(
        z.object({
          fingerprint: z.string().meta({ description: 'Identifies these changes. Pass it to apply' }),
          changes,
          errors: z.array(z.object({ path: z.string(), message: z.string() })),
          permissions: z.array(z.object({ message: z.string(), names: z.array(z.string()) })),
          switchedOff,
          agreedOff: z.number().int().meta({
            description:
              'The number of flags that were switched off by other means, and that the state describes as off. Applying the state, also without changes, lets a later state switch them on',
          }),
          changeRequests: z
            .array(
              z.object({
                project: z.string(),
                environment: z.string(),
                features: z.array(z.string()),
                segments: z.array(z.string()),
              }),
            )
            .optional()
            .meta({ description: 'With `changeRequests`: the flags and segments whose changes apply sends to review' }),
          skipped,
        }),
      ),
    },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/state/apply': {
    summary: 'Apply a state: all of it, or nothing',
    description:
      'With the fingerprint of a plan, answers 409 when the changes would differ from that plan. Without `override`, answers 409 with who, when and why, when it would switch on a flag that was switched off by other means since the state was pulled, or since a state last described the flag as off.',
    access: 'signed-in',
    checks: [
      { permission: 'CREATE_FEATURE', where: 'to create a flag; other changes need the permission of their own route' },
    ],
    body: z.object({
      state: stateSchema,
      prune,
      archive,
      installation,
      override,
      changeRequests,
      fingerprint: plainText(100).optional(),
    }),
    largeBody: changesManyFlags,
    answers: {
      200: stream(
        z.object({
          changes: changes.meta({ description: 'The changes that were made, without those that were sent to review' }),
          changeRequests: z
            .array(
              z.object({
                id,
                project: z.string(),
                environment: z.string(),
                isNew: z.boolean().meta({ description: 'False when the caller has an equal one open already' }),
              }),
            )
            .optional()
            .meta({ description: 'With `changeRequests`: the requests that wait for review' }),
          skipped,
          apiTokens: z
            .array(createdTokenSchema)
            .optional()
            .meta({ description: 'Created API tokens with their secrets, which are shown in this answer only' }),
        }),
      ),
    },
    errors: [404, 409],
    secrets: true,
    emits: [
      'project-created',
      'project-updated',
      'project-environment-added',
      'project-environment-removed',
      'tag-type-created',
      'tag-type-updated',
      'context-field-created',
      'context-field-updated',
      'segment-created',
      'segment-updated',
      'tag-created',
      'feature-created',
      'feature-metadata-updated',
      'feature-stale-on',
      'feature-stale-off',
      'feature-revived',
      'feature-archived',
      'feature-tagged',
      'feature-untagged',
      'feature-link-added',
      'feature-link-updated',
      'feature-link-removed',
      'feature-strategy-add',
      'feature-strategy-update',
      'feature-strategy-remove',
      'feature-environment-enabled',
      'feature-environment-disabled',
      'feature-environment-variants-updated',
      'feature-dependency-added',
      'feature-dependency-removed',
      'feature-dependencies-removed',
      'release-plan-added',
      'release-plan-milestone-started',
      'release-plan-updated',
      'release-plan-removed',
      'milestone-progression-created',
      'milestone-progression-updated',
      'milestone-progression-deleted',
      'safeguard-changed',
      'safeguard-deleted',
      'release-plan-template-created',
      'release-plan-template-updated',
      'release-plan-template-archived',
      'release-plan-template-revived',
      'actions-created',
      'actions-updated',
      'environment-created',
      'strategy-created',
      'user-created',
      'api-token-created',
      'change-request-created',
      'change-added',
      'change-request-sent-to-review',
      'change-request-cancelled',
    ],
  },
});
