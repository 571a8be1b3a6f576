import { z } from 'zod';
import { requiredApprovals } from './change-control.ts';
import { isWebAddress } from './flag-links.ts';
import { defineRoutes, empty, json } from './route.ts';
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
  technicalDebt: z.number().int().meta({ description: '100 less the health' }),
};

const namingSchema = z.object({
  pattern: z.string().nullable(),
  example: z.string().nullable(),
  description: z.string().nullable(),
});
const linkTemplate = z.object({ title: z.string().nullable(), urlTemplate: z.string() });
const linkTemplateBody = z.object({
  title: plainText(255).nullable().optional(),
  urlTemplate: plainText(2000).refine(
    (template) => isWebAddress(template.replaceAll(/\{\{(project|feature)\}\}/g, 'name')),
    'must be a URL that begins with http:// or https://; {{project}} and {{feature}} may stand in it',
  ),
});
const namingText = plainText(1000).nullable().optional();

const onboardingStatus = z.union([
  z.object({ status: z.enum(['onboarding-started', 'onboarded']) }),
  z.object({ status: z.literal('first-flag-created'), feature: z.string() }),
]);

/** Who may do everything in a project. */
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
  lastUpdatedAt: dateTime.meta({ description: 'When something last happened in it, to its flags too' }),
  avgTimeToProduction: z
    .number()
    .meta({ description: 'Days from the creation of a flag until it was evaluated in production, on the average' }),
  cleanupCount: z.number().int().meta({ description: 'Flags that are completed and not archived' }),
  onboardingStatus,
  owners: z.array(ownerSchema).meta({ description: 'The system where nobody has the role Owner' }),
  memberCount: z.number().int(),
});

const count = z.number().int();
const window = 'in the last 30 days';
const windowBefore = 'in the 30 days before those';

/** What happened in a project lately, in windows of 30 days. Flags that have been deleted are not counted. */
export const projectStatsSchema = z.object({
  avgTimeToProdCurrentWindow: z.number().meta({
    description: `Days from their creation until they were evaluated in production, on the average of the flags that first were so ${window}`,
  }),
  createdCurrentWindow: count.meta({ description: `Flags created ${window}` }),
  createdPastWindow: count.meta({ description: `Flags created ${windowBefore}` }),
  archivedCurrentWindow: count.meta({ description: `Flags archived ${window}` }),
  archivedPastWindow: count.meta({ description: `Flags archived ${windowBefore}` }),
  projectActivityCurrentWindow: count.meta({ description: `Events ${window}, which end with today (UTC)` }),
  projectActivityPastWindow: count.meta({ description: `Events ${windowBefore}` }),
  projectMembersAddedCurrentWindow: count.meta({ description: `Members who came ${window}` }),
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
  linkTemplates: z.array(linkTemplate),
  members: z
    .number()
    .int()
    .meta({ description: 'Users who have a role in the project, themselves or through a group' }),
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
  .meta({ description: 'Most flags that are not archived; null for any number' });
const body = {
  name: filledText(255),
  description: plainText(4000).nullable().optional(),
  mode: mode.optional(),
  defaultStickiness: filledText(100).optional(),
  featureLimit: featureLimit.optional(),
};
const byProject = z.object({ projectId: nameParam });
const tag = 'Projects';

export const projectRoutes = defineRoutes({
  'GET /api/admin/projects': {
    tag,
    summary: 'List projects',
    access: 'signed-in',
    query: z.object({ archived: z.enum(['true', 'false']).optional() }),
    answers: { 200: json(z.object({ version: z.literal(1), projects: z.array(projectSchema) })) },
    errors: [],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/overview': {
    tag,
    summary: 'What is in a project, and how it is doing',
    access: 'signed-in',
    params: byProject,
    answers: { 200: json(projectOverviewSchema) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects': {
    tag,
    summary: 'Create a project',
    description:
      'Without `id` it is made from the name; without `environments` the project gets all that are on, and with an empty list none.',
    access: { permission: 'CREATE_PROJECT' },
    body: z.object({
      id: urlFriendly.optional(),
      ...body,
      environments: z.array(nameParam).max(10_000).optional(),
      changeRequestEnvironments: z
        .array(z.object({ name: nameParam, requiredApprovals: requiredApprovals.default(1) }))
        .max(10_000)
        .optional()
        .meta({ description: 'Environments of the project in which changes are reviewed before they are made' }),
    }),
    answers: { 201: json(projectCreatedSchema) },
    errors: [409],
    emits: ['project-created', 'change-request-configuration-updated'],
  },
  'PUT /api/admin/projects/:projectId': {
    tag,
    summary: 'Change a project; what is not named stays',
    access: { permission: 'UPDATE_PROJECT' },
    params: byProject,
    body: z.object(body),
    answers: { 200: empty },
    errors: [404],
    emits: ['project-updated'],
  },
  'PUT /api/admin/projects/:projectId/settings': {
    tag,
    summary: 'Set who may work in a project, how many flags it takes, how they must be named, and what links they get',
    description:
      'Open: every Editor has the rights of a Member. Protected: only who has a role in it changes anything. Private: nobody else even sees it. The naming pattern is a JavaScript regular expression for the whole name of a new flag; null takes it away. Every new flag gets the links of `linkTemplates`, with `{{project}}` and `{{feature}}` filled in.',
    access: { permission: 'PROJECT_SETTINGS_WRITE' },
    params: byProject,
    body: z.object({
      mode: mode.optional(),
      featureLimit: featureLimit.optional(),
      featureNaming: z.object({ pattern: namingText, example: namingText, description: namingText }).optional(),
      linkTemplates: z.array(linkTemplateBody).max(10, 'must be at most 10: a flag has no more links').optional(),
    }),
    answers: { 200: empty },
    errors: [404],
    emits: ['project-updated'],
  },
  'DELETE /api/admin/projects/:projectId': {
    tag,
    summary:
      'Delete a project with its archived flags, its segments and context fields, and the API tokens that open nothing else',
    description: 'Refused for the project `default`, and while a flag of it is not archived.',
    access: { permission: 'DELETE_PROJECT' },
    params: byProject,
    answers: { 200: empty },
    errors: [404],
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
    tag,
    summary: 'Archive a project: it is listed apart and takes no flags any more',
    description: 'Refused for the project `default`, and while a flag of it is not archived.',
    access: { permission: 'DELETE_PROJECT' },
    params: byProject,
    answers: { 200: empty },
    errors: [404],
    emits: ['project-archived'],
  },
  'POST /api/admin/projects/revive/:projectId': {
    tag,
    summary: 'Bring back an archived project; its flags stay archived until they are revived',
    access: { permission: 'DELETE_PROJECT' },
    params: byProject,
    answers: { 200: empty },
    errors: [404],
    emits: ['project-revived'],
  },
  'POST /api/admin/projects/validate': {
    tag,
    summary: 'Whether an id is free for a project',
    access: { permission: 'CREATE_PROJECT' },
    body: z.object({ id: urlFriendly }),
    answers: { 200: empty },
    errors: [409],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/environments': {
    tag,
    summary: 'Add an environment to a project; its flags begin there switched off',
    access: { permission: 'UPDATE_PROJECT' },
    params: byProject,
    body: z.object({
      environment: nameParam,
      changeRequestsEnabled: z
        .boolean()
        .optional()
        .meta({ description: 'Whether changes there are reviewed by somebody before they are made' }),
      defaultStrategy: defaultStrategyBody.nullable().optional(),
    }),
    answers: { 200: empty },
    errors: [404, 409],
    emits: ['project-environment-added', 'default-strategy-updated', 'change-request-configuration-updated'],
  },
  'DELETE /api/admin/projects/:projectId/environments/:environment': {
    tag,
    summary: 'Remove an environment from a project',
    description:
      'The flags of the project are switched off there. Their strategies, and how changes are reviewed, stay and are back when the environment is added again; the default strategy is forgotten.',
    access: { permission: 'UPDATE_PROJECT' },
    params: byProject.extend({ environment: nameParam }),
    answers: { 200: empty },
    errors: [400, 404],
    emits: ['project-environment-removed'],
  },
});
