import { z } from 'zod';
import { inProject } from './features.ts';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, label, line, paging } from './scalars.ts';
import { nameParam, plainText } from './text.ts';

const tag = 'Applications';
const names = z.array(z.string());

const applicationSchema = z.object({
  appName: z.string(),
  sdkVersion: z.string().optional(),
  strategies: names,
  description: z.string().optional(),
  url: z.string().optional(),
  color: z.string().optional(),
  icon: z.string().optional(),
  usage: z
    .array(z.object({ project: z.string(), environments: names }))
    .meta({ description: 'Projects whose flags it evaluates' }),
  announced: z.boolean().meta({ description: 'Whether it has registered, or a person has described it' }),
  createdAt: dateTime,
  lastSeenAt: dateTime,
});

const overviewSchema = z.object({
  projects: names,
  featureCount: z.number().int(),
  environments: z.array(
    z.object({
      name: z.string(),
      instanceCount: z.number().int(),
      sdks: names,
      frontendSdks: names,
      backendSdks: names,
      lastSeen: dateTime.nullable(),
      issues: z.object({ missingFeatures: names, outdatedSdks: names }),
    }),
  ),
  issues: z.object({ missingStrategies: names }),
});

const instancesSchema = z.object({
  instances: z.array(
    z.object({
      instanceId: z.string(),
      sdkVersion: z.string().nullable(),
      clientIp: z.string().nullable(),
      lastSeen: dateTime,
    }),
  ),
});

const outdatedSchema = z.object({ sdks: z.array(z.object({ sdkVersion: z.string(), applications: names })) });

const ofProjectSchema = z.object({
  total: z.number().int(),
  applications: z.array(
    z.object({
      name: z.string(),
      environments: names,
      instances: names,
      sdks: z.array(z.object({ name: z.string(), versions: names })),
    }),
  ),
});

const list = z.object({
  ...paging(50, 1000),
  query: plainText(255).optional(),
  sortBy: z.enum(['appName', 'createdAt', 'lastSeenAt']).optional(),
  sortOrder: z.enum(['asc', 'desc']).optional(),
});
const byName = z.object({ appName: nameParam });
const reading = { tag, access: 'signed-in', errors: [404], emits: [] } as const;
const recent = 'Instances count that were heard of in the last 24 hours.';
const changing = { tag, access: { permission: 'UPDATE_APPLICATION' }, params: byName } as const;
const outdated =
  'An SDK is outdated when it is older than the first release that evaluates all that flags can hold here. SDKs that Yardarm does not know are not judged.';

/** What reports to the service under the names that SDKs are given (unleash-facts 6.11, appendix B). */
export const applicationRoutes = defineRoutes({
  'GET /api/admin/metrics/applications': {
    ...reading,
    summary: 'Applications that have reported, with the projects whose flags they evaluate',
    description: '`query` is looked for in names.',
    query: list,
    answers: { 200: json(z.object({ applications: z.array(applicationSchema), total: z.number().int() })) },
    errors: [400],
  },
  'GET /api/admin/metrics/applications/:appName': {
    ...reading,
    summary: 'One application',
    params: byName,
    answers: { 200: json(applicationSchema) },
  },
  'POST /api/admin/metrics/applications/:appName': {
    ...changing,
    summary: 'Describe an application; what is not named stays. It is added when it is new, and never forgotten',
    params: z.object({ appName: label(255) }),
    body: z.object({
      strategies: z.array(label(255)).max(500).optional(),
      description: plainText(4000).optional(),
      url: line.max(2000).optional(),
      color: line.max(100).optional(),
      icon: line.max(100).optional(),
    }),
    answers: { 202: empty },
    errors: [],
    emits: ['application-created', 'application-updated'],
  },
  'DELETE /api/admin/metrics/applications/:appName': {
    ...changing,
    summary: 'Forget an application until it reports again',
    description: 'One that there is not is none afterwards either: 200. What it counted stays with the flags.',
    answers: { 200: empty },
    errors: [],
    emits: ['application-deleted'],
  },
  'GET /api/admin/metrics/applications/:appName/overview': {
    ...reading,
    summary: 'Where an application runs, what it evaluates, and what may be wrong with it',
    description: `${recent} ${outdated}`,
    params: byName,
    answers: { 200: json(overviewSchema) },
  },
  'GET /api/admin/metrics/instances/:appName/environment/:environment': {
    ...reading,
    summary: 'Instances of an application in an environment, the last heard of first',
    description: recent,
    params: z.object({ appName: nameParam, environment: nameParam }),
    answers: { 200: json(instancesSchema) },
  },
  'GET /api/admin/metrics/sdks/outdated': {
    ...reading,
    summary: 'Outdated SDKs and the applications that use them',
    description: outdated,
    answers: { 200: json(outdatedSchema) },
    errors: [],
  },
  'GET /api/admin/projects/:projectId/applications': {
    ...reading,
    summary: 'Applications that evaluate flags of a project',
    description: recent,
    params: inProject,
    query: list.omit({ sortBy: true }).extend({ sortBy: z.enum(['appName', 'name']).optional() }),
    answers: { 200: json(ofProjectSchema) },
    errors: [400, 404],
  },
  'GET /api/admin/projects/:projectId/sdks/outdated': {
    ...reading,
    summary: 'Outdated SDKs of the applications that evaluate flags of a project',
    params: inProject,
    answers: { 200: json(outdatedSchema) },
  },
});
