import { z } from 'zod';
import { flagInput, flagValues, wholeFlagInput } from './flag-fields.ts';
import { holdSchema } from './hold.ts';
import { releasePlanSchema } from './release-plans.ts';
import { defineRoutes, empty, json, stream } from './route.ts';
import { dateTime } from './scalars.ts';
import { featureStrategySchema, jsonPatchSchema } from './strategies.ts';
import { newTagBody, tagSchema } from './tags.ts';
import { featureNameText, nameParam } from './text.ts';
import { variantSchema } from './variant-fields.ts';

export const flagStages = ['initial', 'pre-live', 'live', 'completed', 'archived'] as const;

/** A lifecycle stage of a flag. */
export const stageSchema = z.object({
  stage: z.enum(flagStages),
  status: z.string().nullable().meta({ description: 'The outcome of a completed flag: kept or discarded' }),
  enteredStageAt: dateTime,
});

export const featureEnvironmentSchema = z.object({
  name: z.string(),
  featureName: z.string(),
  environment: z.string(),
  type: z.string(),
  enabled: z.boolean().meta({ description: 'The configured state, also while a hold overrides it' }),
  sortOrder: z.number().int(),
  lastSeenAt: dateTime.nullable(),
  hasStrategies: z.boolean(),
  hasEnabledStrategies: z.boolean(),
  lease: holdSchema
    .nullable()
    .meta({ description: 'The hold in force, which overrides the configured state for SDKs; null for none' }),
  strategies: z.array(featureStrategySchema).optional(),
  variants: z
    .array(variantSchema)
    .optional()
    .meta({ description: 'Variants of the flag, without those of its strategies' }),
  variantCount: z.number().int(),
  yes: z.number().int().meta({ description: 'Evaluations to true in the hour of the last evaluation' }),
  no: z.number().int().meta({ description: 'Evaluations to false in that hour' }),
  releasePlans: z.array(releasePlanSchema).optional().meta({ description: 'One at most; absent in lists' }),
  milestoneName: z
    .string()
    .optional()
    .meta({ description: 'The milestone of the release plan; absent without a plan' }),
  milestoneOrder: z.number().int().optional().meta({ description: 'The position of that milestone, from 0' }),
  totalMilestones: z.number().int().optional().meta({ description: 'The number of milestones of the plan' }),
  changeRequestIds: z.array(z.number().int()).optional().meta({
    description: 'Open change requests that would change the flag. Drafts are included only for their author',
  }),
});

const dependencySchema = z.object({
  feature: z.string(),
  enabled: z.boolean(),
  variants: z.array(z.string()).optional(),
});

export const featureSchema = z.object({
  name: z.string(),
  project: z.string(),
  archived: z.boolean(),
  ...flagValues.shape,
  favorite: z.boolean().meta({ description: 'Whether it is a favorite of the caller' }),
  createdAt: dateTime,
  createdBy: z.object({ id: z.number().int(), name: z.string(), imageUrl: z.string() }),
  archivedAt: dateTime.nullable(),
  lastSeenAt: dateTime.nullable(),
  lifecycle: stageSchema,
  tags: z.array(tagSchema),
  dependencies: z.array(dependencySchema).optional(),
  children: z.array(z.string()).optional().meta({ description: 'Flags that depend on this flag' }),
  links: z
    .array(z.object({ id: z.string(), url: z.string(), title: z.string().nullable(), feature: z.string() }))
    .optional(),
  environments: z.array(featureEnvironmentSchema),
  collaborators: z
    .object({ users: z.array(z.object({ id: z.number().int(), name: z.string(), imageUrl: z.string() })) })
    .optional()
    .meta({ description: 'Users who changed the flag, from its newest 100 events' }),
});

/** The maximum number of flags that a request changes. Writes run one at a time, so a longer request delays others. */
const maxBatch = 1000;
export const batch = z.object({
  features: z.array(nameParam).min(1, 'must name a flag').max(maxBatch, `must name at most ${maxBatch} flags`),
});

/** The schema of a flag after a JSON Patch. Unknown fields are refused, not dropped. */
export const patchedFeatureSchema = wholeFlagInput.partial({ description: true }).strict();

const inProject = z.object({ projectId: nameParam });
export const inFlag = inProject.extend({ featureName: nameParam });

export const featureRoutes = defineRoutes('Features', {
  'GET /api/admin/projects/:projectId/features': {
    summary: 'List the flags of a project that are not archived, by name',
    description: 'Flags are listed without strategies, dependencies and links. Get a single flag to see them.',
    access: 'signed-in',
    answers: { 200: stream(z.object({ version: z.literal(1), features: z.array(featureSchema) })) },
  },
  'POST /api/admin/projects/:projectId/features': {
    summary: 'Create a flag, disabled in every environment of its project',
    access: { permission: 'CREATE_FEATURE' },
    body: z.object({
      name: featureNameText,
      ...flagInput.omit({ stale: true }).shape,
      tags: z.array(newTagBody).max(100).optional(),
    }),
    answers: { 201: json(featureSchema) },
    errors: [409],
    emits: ['feature-created', 'feature-tagged', 'tag-created', 'feature-link-added'],
  },
  'GET /api/admin/projects/:projectId/features/:featureName': {
    answers: { 200: json(featureSchema) },
    summary: 'Get a flag, archived or not, with its environments and strategies',
    access: 'signed-in',
  },
  'PUT /api/admin/projects/:projectId/features/:featureName': {
    answers: { 200: json(featureSchema) },
    summary: 'Update a flag; omitted fields keep their values',
    access: { permission: 'UPDATE_FEATURE' },
    body: flagInput.extend({ archived: z.boolean().optional() }),
    emits: ['feature-metadata-updated', 'feature-stale-on', 'feature-stale-off'],
  },
  'PATCH /api/admin/projects/:projectId/features/:featureName': {
    answers: { 200: json(featureSchema) },
    summary: 'Patch a flag with a JSON Patch',
    access: { permission: 'UPDATE_FEATURE' },
    body: jsonPatchSchema,
    emits: ['feature-metadata-updated', 'feature-stale-on', 'feature-stale-off'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName': {
    summary: 'Archive a flag: SDKs no longer get it',
    description: 'Refused while another flag depends on it. Its own dependencies are removed.',
    access: { permission: 'DELETE_FEATURE' },
    answers: { 202: empty },
    errors: [403],
    emits: ['feature-archived', 'feature-dependencies-removed'],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/clone': {
    summary: 'Clone a flag; the clone is disabled in every environment',
    description: 'Copies strategies, variants and dependencies. Tags and links are not copied.',
    access: { permission: 'CREATE_FEATURE' },
    body: z.object({ name: featureNameText, replaceGroupId: z.boolean().optional() }),
    answers: { 201: json(featureSchema) },
    errors: [409],
    emits: [
      'feature-created',
      'feature-strategy-add',
      'feature-environment-variants-updated',
      'feature-dependency-added',
    ],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/changeProject': {
    summary: 'Move a flag to another project',
    description:
      'Needs MOVE_FEATURE_TOGGLE in both projects. The new project must have the environments of the flag. A flag with a dependency cannot be moved.',
    access: { permission: 'MOVE_FEATURE_TOGGLE' },
    body: z.object({ newProjectId: nameParam }),
    answers: { 200: empty },
    emits: ['feature-project-change'],
  },
  'POST /api/admin/features/validate': {
    summary: 'Check whether a flag name is valid and available',
    access: 'signed-in',
    body: z.object({ name: featureNameText, projectId: nameParam.nullable().optional() }),
    answers: { 200: empty },
    errors: [404, 409],
    emits: [],
  },
});
