import { z } from 'zod';
import { inProject } from './flags.ts';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, paging } from './scalars.ts';
import { strategyTypeSchema } from './strategy-types.ts';
import { nameParam, plainText } from './text.ts';

const tag = 'Applications';
const names = z.array(z.string());
const count = z.number().int().min(0);
const byName = z.object({ appName: nameParam });

const sdkVersion = z.string().meta({ description: 'What the SDK calls itself, as a rule `name:version`' });

const applicationSchema = z.object({
  appName: z.string(),
  sdkVersion: sdkVersion.optional().meta({ description: 'The SDK of the instance that was heard of last' }),
  strategies: names.meta({ description: 'Strategies that its SDK can evaluate' }),
  description: z.string().nullable(),
  url: z.string().nullable(),
  color: z.string().nullable(),
  icon: z.string().nullable(),
  usage: z
    .array(z.object({ project: z.string(), environments: names }))
    .meta({ description: 'Projects whose flags it evaluates, and in which environments' }),
  announced: z
    .boolean()
    .meta({ description: 'Whether it has registered or somebody has described it; else it has only reported counts' }),
  createdAt: dateTime,
  updatedAt: dateTime.meta({ description: 'As `lastSeenAt`' }),
  lastSeenAt: dateTime,
});

/** One application: what its strategies are, and what reports under its name. */
const wholeApplicationSchema = applicationSchema.extend({
  strategies: z
    .array(
      strategyTypeSchema
        .partial()
        .required({ name: true })
        .extend({ notFound: z.literal(true).optional() }),
    )
    .meta({ description: 'Strategies that its SDK can evaluate; `notFound` where there is none of that name' }),
  instances: z
    .array(
      z.object({
        instanceId: z.string(),
        environment: z.string(),
        sdkVersion: z.string().nullable(),
        clientIp: z.string().nullable(),
        lastSeen: dateTime,
      }),
    )
    .meta({ description: 'Those seen last in the last 24 hours, at most 100' }),
  seenToggles: z
    .array(z.object({ name: z.string(), project: z.string() }))
    .meta({ description: 'Flags that it evaluates' }),
  links: z.object({ self: z.string() }),
});

const overviewEnvironmentSchema = z.object({
  name: z.string(),
  instanceCount: count.meta({ description: 'Instances that were heard of in the last 24 hours' }),
  sdks: names.meta({ description: 'What these instances run' }),
  backendSdks: names,
  frontendSdks: names,
  sdksByType: z.object({ backend: names, frontend: names }),
  lastSeen: dateTime.nullable(),
  issues: z.object({
    missingFeatures: names.meta({ description: 'Flags that it evaluates there and that do not exist' }),
    outdatedSdks: names.meta({ description: 'SDKs that do not know all that flags can do' }),
  }),
});

const overviewSchema = z.object({
  projects: names,
  featureCount: count.meta({ description: 'Flags that it evaluates' }),
  environments: z.array(overviewEnvironmentSchema),
  issues: z.object({
    missingStrategies: names.meta({ description: 'Strategies that its SDK can evaluate and that do not exist' }),
  }),
});

const instancesSchema = z.object({
  instances: z.array(
    z.object({
      instanceId: z.string(),
      sdkVersion: sdkVersion.optional(),
      clientIp: z.string().optional(),
      lastSeen: dateTime,
    }),
  ),
});

const outdatedSdksSchema = z.object({ sdks: z.array(z.object({ sdkVersion, applications: names })) });

/** The instances, and the SDK versions, that the list of a project names of one application. */
export const mostInstances = 100;

const projectApplicationsSchema = z.object({
  total: count,
  applications: z.array(
    z.object({
      name: z.string(),
      environments: names,
      instances: names.meta({
        description: `Ids of at most ${mostInstances} instances, those seen last in the last 24 hours`,
      }),
      instanceCount: count.meta({ description: 'Instances seen in the last 24 hours, listed or not' }),
      sdks: z
        .array(z.object({ name: z.string(), versions: names }))
        .meta({ description: `SDKs of its instances; at most ${mostInstances} names and versions` }),
    }),
  ),
});

const mostListed = 1000;

/** The instances of one application in one environment that are listed. */
export const mostSeen = 1000;

/** The query of a list of applications, with pages of `usual` unless a limit up to `most` is given. */
function listed<const Columns extends readonly [string, ...string[]]>(columns: Columns, usual: number, most: number) {
  return z.object({
    query: plainText(500).optional().meta({ description: 'Part of the name; upper and lower case alike' }),
    ...paging(usual, most),
    sortBy: z.enum(columns).optional(),
    sortOrder: z.enum(['asc', 'desc']).optional(),
  });
}

const reading = { tag, access: 'signed-in', emits: [] } as const;
const managing = { tag, access: { permission: 'UPDATE_APPLICATION' }, params: byName } as const;

export const applicationRoutes = defineRoutes({
  'GET /api/admin/metrics/applications': {
    ...reading,
    summary: 'List the applications that evaluate flags',
    query: listed(['appName', 'createdAt', 'lastSeenAt'], mostListed, mostListed),
    answers: { 200: json(z.object({ total: count, applications: z.array(applicationSchema) })) },
    errors: [],
  },
  'GET /api/admin/metrics/applications/:appName': {
    ...reading,
    summary: 'One application',
    params: byName,
    answers: { 200: json(wholeApplicationSchema) },
    errors: [404],
  },
  'POST /api/admin/metrics/applications/:appName': {
    ...managing,
    summary: 'Describe an application, which need not have reported yet; what is not named stays',
    description: 'An application that somebody has described is kept, however long nothing is heard of it.',
    body: z.object({
      strategies: z.array(plainText(500)).max(1000).optional(),
      description: plainText(4000).optional(),
      url: plainText(2000).optional(),
      color: plainText(100).optional(),
      icon: plainText(2000).optional(),
    }),
    answers: { 202: empty },
    errors: [409],
    emits: ['application-created', 'application-updated'],
  },
  'DELETE /api/admin/metrics/applications/:appName': {
    ...managing,
    summary: 'Forget an application; it comes back when it reports again',
    answers: { 200: empty },
    errors: [],
    emits: ['application-deleted'],
  },
  'GET /api/admin/metrics/applications/:appName/overview': {
    ...reading,
    summary: 'Where an application runs, and what may be wrong with it',
    params: byName,
    answers: { 200: json(overviewSchema) },
    errors: [404],
  },
  'GET /api/admin/metrics/instances/:appName/environment/:environment': {
    ...reading,
    summary: 'Instances of an application in an environment that were heard of in the last 24 hours',
    description: `At most ${mostSeen}, those seen last.`,
    params: byName.extend({ environment: nameParam }),
    answers: { 200: json(instancesSchema) },
    errors: [404],
  },
  'GET /api/admin/metrics/sdks/outdated': {
    ...reading,
    summary: 'SDKs that should be updated, and the applications that use them',
    answers: { 200: json(outdatedSdksSchema) },
    errors: [],
  },
  'GET /api/admin/projects/:projectId/applications': {
    ...reading,
    summary: 'List the applications that evaluate flags of a project',
    description: 'In pages of 50, or of a limit up to 100.',
    params: inProject,
    query: listed(['appName', 'createdAt', 'lastSeenAt'], 50, 100),
    answers: { 200: json(projectApplicationsSchema) },
    errors: [404],
  },
  'GET /api/admin/projects/:projectId/sdks/outdated': {
    ...reading,
    summary: 'SDKs that should be updated in the applications that evaluate flags of a project',
    params: inProject,
    answers: { 200: json(outdatedSdksSchema) },
    errors: [404],
  },
});
