import { z } from 'zod';
import { requiredApprovals } from './change-control.ts';
import { isWebAddress } from './flag-links.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime } from './scalars.ts';
import { defaultStrategyBody, defaultStrategySchema } from './strategies.ts';
import { filledText, nameParam, plainText, urlFriendly } from './text.ts';

const mode = z.enum(['open', 'protected', 'private']);
const favorite = z.boolean().meta({ description: 'Whether it is a favorite of the caller' });
const base = { name: z.string(), mode, defaultStickiness: z.string() };
const description = z.string().optional().meta({ description: 'Absent when not set' });
const dates = { createdAt: dateTime, updatedAt: dateTime, archivedAt: dateTime.nullable() };
const shares = {
  health: z.number().int().meta({ description: 'Share of active flags that are not stale, in percent' }),
  technicalDebt: z.number().int().meta({ description: '100 minus the health' }),
};

const namingSchema = z.object({
  pattern: z.string().nullable(),
  example: z.string().nullable(),
  description: z.string().nullable(),
});
const changeReasonSchema = z
  .object({
    required: z.boolean(),
    pattern: z
      .string()
      .nullable()
      .meta({ description: 'An RE2 regular expression that the reason must contain a match of' }),
  })
  .meta({ description: 'Whether changes of flags need a reason, in the header X-Change-Reason' });
const linkTemplate = z.object({ title: z.string().nullable(), urlTemplate: z.string() });
const linkTemplateBody = z.object({
  title: plainText(255).nullable().optional(),
  urlTemplate: plainText(2000).refine(
    (template) => isWebAddress(template.replaceAll(/\{\{(project|feature)\}\}/g, 'name')),
    'must be a URL that begins with http:// or https://; it may contain {{project}} and {{feature}}',
  ),
});
const namingText = plainText(1000).nullable().optional();
export const namingBody = z.object({ pattern: namingText, example: namingText, description: namingText });
export const changeReasonBody = z.object({
  required: z.boolean(),
  pattern: plainText(1000).nullable().optional(),
});
export const linkTemplatesBody = z
  .array(linkTemplateBody)
  .max(10, 'must have at most 10 items, because a flag has at most 10 links');

const onboardingStatus = z.union([
  z.object({ status: z.enum(['onboarding-started', 'onboarded']) }),
  z.object({ status: z.literal('first-flag-created'), feature: z.string() }),
]);

/** An owner of a project. */
const ownerSchema = z.union([
  z.object({
    ownerType: z.literal('user'),
    name: z.string(),
    email: z.string().nullable(),
    imageUrl: z.string(),
  }),
  z.object({ ownerType: z.literal('group'), name: z.string() }),
  z.object({ ownerType: z.literal('system') }),
]);

export const projectSchema = z.object({
  id: z.string(),
  ...base,
  description,
  ...dates,
  ...shares,
  favorite,
  featureCount: z.number().int(),
  staleFeatureCount: z.number().int(),
  potentiallyStaleFeatureCount: z.number().int(),
  lastReportedFlagUsage: dateTime.nullable(),
  lastUpdatedAt: dateTime.meta({
    description: 'The time of the last event in the project, including events of its flags',
  }),
  avgTimeToProduction: z
    .number()
    .meta({ description: 'Average days from the creation of a flag to its first evaluation in production' }),
  cleanupCount: z.number().int().meta({ description: 'Completed flags that are not archived' }),
  onboardingStatus,
  owners: z.array(ownerSchema).meta({ description: 'Members with the role Owner; the system when there is none' }),
  memberCount: z.number().int(),
});

const count = z.number().int();
const window = 'in the last 30 days';
const windowBefore = 'in the 30 days before that';

/** Statistics of a project in windows of 30 days. Deleted flags are not counted. */
export const projectStatsSchema = z.object({
  avgTimeToProdCurrentWindow: z.number().meta({
    description: `Average days from creation to the first evaluation in production, of flags first evaluated in production ${window}`,
  }),
  createdCurrentWindow: count.meta({ description: `Flags created ${window}` }),
  createdPastWindow: count.meta({ description: `Flags created ${windowBefore}` }),
  archivedCurrentWindow: count.meta({ description: `Flags archived ${window}` }),
  archivedPastWindow: count.meta({ description: `Flags archived ${windowBefore}` }),
  projectActivityCurrentWindow: count.meta({ description: `Events ${window}, including today (UTC)` }),
  projectActivityPastWindow: count.meta({ description: `Events ${windowBefore}` }),
  projectMembersAddedCurrentWindow: count.meta({ description: `Members added ${window}` }),
});

export const projectOverviewSchema = z.object({
  stats: projectStatsSchema,
  version: z.literal(1),
  ...base,
  description: z.string().nullable(),
  ...dates,
  ...shares,
  favorite,
  featureLimit: z.number().int().nullable(),
  featureNaming: namingSchema,
  changeReason: changeReasonSchema,
  linkTemplates: z.array(linkTemplate),
  members: z.number().int().meta({ description: 'Users with a role in the project, directly or through a group' }),
  environments: z.array(
    z.object({
      environment: z.string(),
      changeRequestsEnabled: z.boolean(),
      defaultStrategy: defaultStrategySchema.optional(),
    }),
  ),
  featureTypeCounts: z.array(z.object({ type: z.string(), count: z.number().int() })),
  onboardingStatus,
});

const projectCreatedSchema = z.object({
  id: z.string(),
  ...base,
  description,
  featureLimit: z.number().int().nullable(),
  environments: z.array(z.string()),
  changeRequestEnvironments: z.array(z.object({ name: z.string(), requiredApprovals: z.number().int() })),
});

const featureLimit = z
  .number()
  .int()
  .min(1)
  .max(2147483647)
  .nullable()
  .meta({ description: 'The maximum number of flags that are not archived; null for no limit' });
const body = {
  name: filledText(255),
  description: plainText(4000).nullable().optional(),
  mode: mode.optional(),
  defaultStickiness: filledText(100).optional(),
  featureLimit: featureLimit.optional(),
};

export const projectRoutes = defineRoutes('Projects', {
  'GET /api/admin/projects': {
    summary: 'List projects',
    access: 'signed-in',
    query: z.object({ archived: z.enum(['true', 'false']).optional() }),
    answers: ok({ version: z.literal(1), projects: z.array(projectSchema) }),
  },
  'GET /api/admin/projects/:projectId/overview': {
    summary: 'Get the overview of a project',
    access: 'signed-in',
    answers: { 200: json(projectOverviewSchema) },
  },
  'POST /api/admin/projects': {
    summary: 'Create a project',
    description:
      'Without `id`, the id is derived from the name. Without `environments`, the project gets all enabled environments; with an empty list it gets none.',
    access: { permission: 'CREATE_PROJECT' },
    body: z.object({
      id: urlFriendly.optional(),
      ...body,
      environments: z.array(nameParam).max(10_000).optional(),
      changeRequestEnvironments: z
        .array(z.object({ name: nameParam, requiredApprovals: requiredApprovals.default(1) }))
        .max(10_000)
        .optional()
        .meta({ description: 'Environments of the project in which changes require review' }),
    }),
    answers: { 201: json(projectCreatedSchema) },
    errors: [409],
    emits: ['project-created', 'change-request-configuration-updated'],
  },
  'PUT /api/admin/projects/:projectId': {
    summary: 'Update a project; omitted fields keep their values',
    access: { permission: 'UPDATE_PROJECT' },
    body: z.object(body),
    answers: { 200: empty },
    emits: ['project-updated'],
  },
  'PUT /api/admin/projects/:projectId/settings': {
    summary: 'Update the settings of a project: mode, flag limit, naming pattern, link templates and change reasons',
    description:
      'Modes. Open: every Editor has the permissions of a Member. Protected: only members can change anything. Private: only members can see the project. The naming pattern is a JavaScript regular expression for the whole name of new flags; null removes it. Every new flag gets the links of `linkTemplates`, with `{{project}}` and `{{feature}}` filled in. With `changeReason`, changes of flags need a reason; `pattern` is an RE2 regular expression that the reason must contain a match of, such as the id of a ticket.',
    access: { permission: 'PROJECT_SETTINGS_WRITE' },
    body: z.object({
      mode: mode.optional(),
      featureLimit: featureLimit.optional(),
      featureNaming: namingBody.optional(),
      linkTemplates: linkTemplatesBody.optional(),
      changeReason: changeReasonBody.optional(),
    }),
    answers: { 200: empty },
    emits: ['project-updated'],
  },
  'DELETE /api/admin/projects/:projectId': {
    summary:
      'Delete a project with its archived flags, segments, context fields, and the API tokens that are limited to it',
    description: 'Refused for the project `default`, and for a project with flags that are not archived.',
    access: { permission: 'DELETE_PROJECT' },
    answers: { 200: empty },
    emits: [
      'project-deleted',
      'feature-deleted',
      'segment-deleted',
      'context-field-deleted',
      'api-token-deleted',
      'api-token-updated',
    ],
  },
  'POST /api/admin/projects/archive/:projectId': {
    summary: 'Archive a project: it is listed separately, and no flags can be added',
    description: 'Refused for the project `default`, and for a project with flags that are not archived.',
    access: { permission: 'DELETE_PROJECT' },
    answers: { 200: empty },
    emits: ['project-archived'],
  },
  'POST /api/admin/projects/revive/:projectId': {
    summary: 'Revive an archived project; its flags stay archived until they are revived',
    access: { permission: 'DELETE_PROJECT' },
    answers: { 200: empty },
    emits: ['project-revived'],
  },
  'POST /api/admin/projects/validate': {
    summary: 'Check whether an id is available for a project',
    access: { permission: 'CREATE_PROJECT' },
    body: z.object({ id: urlFriendly }),
    answers: { 200: empty },
    errors: [409],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/environments': {
    summary: 'Add an environment to a project; flags are disabled in it',
    access: { permission: 'UPDATE_PROJECT' },
    body: z.object({
      environment: nameParam,
      changeRequestsEnabled: z
        .boolean()
        .optional()
        .meta({ description: 'Whether changes in the environment require review' }),
      defaultStrategy: defaultStrategyBody.nullable().optional(),
    }),
    answers: { 200: empty },
    errors: [409],
    emits: ['project-environment-added', 'default-strategy-updated', 'change-request-configuration-updated'],
  },
  'DELETE /api/admin/projects/:projectId/environments/:environment': {
    summary: 'Remove an environment from a project',
    description:
      'Disables the flags of the project in the environment. Their strategies and the change control are kept and apply again when the environment is added again. The default strategy is deleted.',
    access: { permission: 'UPDATE_PROJECT' },
    answers: { 200: empty },
    errors: [400, 409],
    emits: ['project-environment-removed', 'feature-lease-released'],
  },
});
