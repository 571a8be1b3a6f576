import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, paging } from './scalars.ts';
import { strategyTypeSchema } from './strategy-types.ts';
import { plainText, searchText } from './text.ts';

const names = z.array(z.string());
const count = z.number().int().min(0);

const sdkVersion = z.string().meta({ description: 'The SDK as it reports itself, usually `name:version`' });

const applicationSchema = z.object({
  appName: z.string(),
  sdkVersion: sdkVersion.optional().meta({ description: 'The SDK of the instance that reported last' }),
  strategies: names.meta({ description: 'Names of the strategies that its SDK supports' }),
  description: z.string().nullable(),
  url: z.string().nullable(),
  color: z.string().nullable(),
  icon: z.string().nullable(),
  usage: z
    .array(z.object({ project: z.string(), environments: names }))
    .meta({ description: 'Projects whose flags it evaluates, with the environments' }),
  announced: z.boolean().meta({
    description: 'Whether it has registered or a person has described it. If false, it has only reported counts',
  }),
  createdAt: dateTime,
  updatedAt: dateTime.meta({ description: 'Same as `lastSeenAt`' }),
  lastSeenAt: dateTime,
});

/** An application with its strategy definitions and instances. */
const wholeApplicationSchema = applicationSchema.extend({
  strategies: z
    .array(
      strategyTypeSchema
        .partial()
        .required({ name: true })
        .extend({ notFound: z.literal(true).optional() }),
    )
    .meta({
      description: 'Strategies that its SDK supports. `notFound` is set when no strategy of that name is defined',
    }),
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
    .meta({ description: 'Instances seen in the last 24 hours: at most 100, the most recent' }),
  seenToggles: z
    .array(z.object({ name: z.string(), project: z.string() }))
    .meta({ description: 'Flags that the application evaluates' }),
  links: z.object({ self: z.string() }),
});

const overviewEnvironmentSchema = z.object({
  name: z.string(),
  instanceCount: count.meta({ description: 'Instances that reported in the last 24 hours' }),
  sdks: names.meta({ description: 'SDKs of these instances' }),
  backendSdks: names,
  frontendSdks: names,
  sdksByType: z.object({ backend: names, frontend: names }),
  lastSeen: dateTime.nullable(),
  issues: z.object({
    missingFeatures: names.meta({ description: 'Evaluated flags that do not exist' }),
    outdatedSdks: names.meta({ description: 'SDKs too old to support all features of flags' }),
  }),
});

const overviewSchema = z.object({
  projects: names,
  featureCount: count.meta({ description: 'Flags that the application evaluates' }),
  environments: z.array(overviewEnvironmentSchema),
  issues: z.object({
    missingStrategies: names.meta({ description: 'Strategies that its SDK supports and that are not defined' }),
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

/** The maximum number of instances, and of SDK versions, that a project's list shows for an application. */
export const mostInstances = 100;

const projectApplicationsSchema = z.object({
  total: count,
  applications: z.array(
    z.object({
      name: z.string(),
      environments: names,
      instances: names.meta({
        description: `Ids of at most ${mostInstances} instances, the most recently seen in the last 24 hours`,
      }),
      instanceCount: count.meta({ description: 'Instances seen in the last 24 hours, listed or not' }),
      sdks: z
        .array(z.object({ name: z.string(), versions: names }))
        .meta({ description: `SDKs of its instances; at most ${mostInstances} names and versions` }),
    }),
  ),
});

const mostListed = 1000;

/** The maximum number of instances listed for an application in an environment. */
export const mostSeen = 1000;

/** Returns the query parameters of a list of applications: pages of `usual` items, or of a given limit up to `most`. */
function listed<const Columns extends readonly [string, ...string[]]>(columns: Columns, usual: number, most: number) {
  return z.object({
    query: searchText(500).meta({ description: 'Part of the name, case-insensitive' }),
    ...paging(usual, most),
    sortBy: z.enum(columns).optional(),
    sortOrder: z.enum(['asc', 'desc']).optional(),
  });
}
const managing = { access: { permission: 'UPDATE_APPLICATION' }, anyName: true } as const;

export const applicationRoutes = defineRoutes('Applications', {
  'GET /api/admin/metrics/applications': {
    access: 'signed-in',
    summary: 'List the applications that evaluate flags',
    query: listed(['appName', 'createdAt', 'lastSeenAt'], mostListed, mostListed),
    answers: ok({ total: count, applications: z.array(applicationSchema) }),
  },
  'GET /api/admin/metrics/applications/:appName': {
    access: 'signed-in',
    summary: 'Get an application',
    answers: { 200: json(wholeApplicationSchema) },
  },
  'POST /api/admin/metrics/applications/:appName': {
    ...managing,
    summary: 'Describe an application; omitted fields keep their values',
    description:
      'The application does not need to have reported yet. A described application is never deleted by retention.',
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
    summary: 'Delete an application; it is added again when it reports',
    answers: { 200: empty },
    emits: ['application-deleted'],
  },
  'GET /api/admin/metrics/applications/:appName/overview': {
    access: 'signed-in',
    summary: 'Get an overview of an application: where it runs, and its issues',
    answers: { 200: json(overviewSchema) },
  },
  'GET /api/admin/metrics/instances/:appName/environment/:environment': {
    access: 'signed-in',
    summary: 'List the instances of an application in an environment that reported in the last 24 hours',
    description: `At most ${mostSeen}, the most recently seen.`,
    answers: { 200: json(instancesSchema) },
  },
  'GET /api/admin/metrics/sdks/outdated': {
    access: 'signed-in',
    summary: 'List outdated SDKs and the applications that use them',
    answers: { 200: json(outdatedSdksSchema) },
  },
  'GET /api/admin/projects/:projectId/applications': {
    access: 'signed-in',
    summary: 'List the applications that evaluate flags of a project',
    description: 'In pages of 50, or of a limit up to 100.',
    query: listed(['appName', 'createdAt', 'lastSeenAt'], 50, 100),
    answers: { 200: json(projectApplicationsSchema) },
  },
  'GET /api/admin/projects/:projectId/sdks/outdated': {
    access: 'signed-in',
    summary: 'List outdated SDKs of the applications that evaluate flags of a project',
    answers: { 200: json(outdatedSdksSchema) },
  },
});
