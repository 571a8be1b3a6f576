import { z } from 'zod';
import { defineRoutes, json, text } from './route.ts';
import { dateTime } from './scalars.ts';

const count = z.number().int().min(0);

const uiConfig = z.object({
  name: z.string(),
  version: z.string(),
  environment: z.string(),
  unleashUrl: z.string(),
  baseUriPath: z.string(),
  authenticationType: z.enum(['open-source', 'none']),
  disablePasswordAuth: z.boolean(),
  oidcConfiguredThroughEnv: z.boolean(),
  samlConfiguredThroughEnv: z.boolean(),
  emailEnabled: z.boolean(),
  maintenanceMode: z.boolean(),
  frontendApiOrigins: z.array(z.string()),
  maxSessionsCount: count,
  personalTokenDays: count.meta({
    description: 'The longest life of a new personal token of a user, in days; 0 for no limit',
  }),
  resourceLimits: z.record(z.string(), count),
  prometheusAPIAvailable: z.boolean().meta({ description: 'Whether a Prometheus server is set for external metrics' }),
  impactMetrics: z.literal('disabled'),
  storiesPageEnabled: z.literal(false),
  unleashContext: z.object({}),
  flags: z.record(z.string(), z.boolean()),
  links: z.array(z.object({})),
  versionInfo: z.object({
    current: z.object({ oss: z.string(), enterprise: z.string() }),
    latest: z.object({ oss: z.string(), enterprise: z.string() }),
    isLatest: z.boolean(),
    instanceId: z.string(),
  }),
});

const statistics = z.object({
  instanceId: z.string(),
  timestamp: dateTime,
  versionOSS: z.string(),
  versionEnterprise: z.literal(''),
  users: count,
  serviceAccounts: count,
  activeUsers: z.object({ last7: count, last30: count, last60: count, last90: count }),
  productionChanges: z
    .object({ last30: count, last60: count, last90: count })
    .meta({ description: 'Events in production environments in the last 30, 60 and 90 days, including today (UTC)' }),
  previousDayMetricsBucketsCount: z.object({ enabledCount: count, variantCount: count }),
  featureToggles: count,
  projects: count,
  environments: count,
  strategies: count,
  groups: count,
  maxEnvironmentStrategies: count,
  featureExports: count,
  featureImports: count,
  segments: count,
  contextFields: count,
  roles: count,
  signalEndpoints: count,
  apiTokens: z.object({ admin: count, client: count, backend: count, frontend: count }).meta({
    description: '`client` and `backend` both count backend tokens',
  }),
  licensedUsers: count.meta({ description: 'The number of all users; there are no licenses' }),
  archivedFeatureToggles: count,
  customRootRoles: count,
  customRootRolesInUse: count,
  readOnlyUsers: count.meta({ description: 'Users whose root role is Viewer' }),
  passwordAuthEnabled: z.boolean(),
  OIDCenabled: z.boolean(),
  SAMLenabled: z.literal(false),
  SCIMenabled: z.literal(false),
  releaseTemplates: count,
  releasePlans: count,
  edgeInstanceUsage: z.object({}),
  clientApps: z.array(z.object({ range: z.enum(['allTime', '30d', '7d']), count })),
});

export const instanceRoutes = defineRoutes('Operations', {
  'GET /api/admin/ui-config': {
    summary: 'Get the configuration for the user interface: version, limits and login methods',
    access: 'signed-in',
    answers: { 200: json(uiConfig) },
  },
  'GET /api/admin/instance-admin/statistics': {
    summary: 'Get the statistics of the instance',
    access: { permission: 'ADMIN' },
    answers: { 200: json(statistics) },
  },
  'GET /api/admin/instance-admin/statistics/csv': {
    summary: 'Get the statistics of the instance as CSV',
    access: { permission: 'ADMIN' },
    answers: { 200: text('text/csv; charset=utf-8') },
  },
});
