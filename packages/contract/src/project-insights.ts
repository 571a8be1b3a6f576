import { z } from 'zod';
import { featureSchema } from './flags.ts';
import { projectOverviewSchema, projectStatsSchema } from './projects.ts';
import { defineRoutes, json, ok, stream } from './route.ts';

const count = z.number().int();
const days = z.number().meta({ description: 'Days from the creation of a flag to its first evaluation in production' });
const leadTimeSchema = z.object({
  projectAverage: days,
  features: z.array(z.object({ name: z.string(), timeToProduction: days })),
});
const stageSummary = z.object({
  averageDays: z
    .number()
    .nullable()
    .meta({ description: 'Average days that flags stayed in the stage; null when no flag has left it' }),
  currentFlags: count,
});
const counts = {
  activeCount: count.meta({ description: 'Flags that are neither stale nor potentially stale' }),
  potentiallyStaleCount: count.meta({
    description: 'Flags older than the expected lifetime of their type',
  }),
  staleCount: count.meta({ description: 'Flags marked as stale' }),
};
const { version, name, description, defaultStickiness, mode, featureLimit, members, health, environments } =
  projectOverviewSchema.shape;
const { updatedAt, createdAt, favorite, featureNaming, featureTypeCounts, technicalDebt } = projectOverviewSchema.shape;

/** Statistics of projects. Unleash serves these routes as deprecated. */
export const projectInsightsRoutes = defineRoutes('Projects', {
  'GET /api/admin/projects/:projectId/health-report': {
    access: 'signed-in',
    summary: 'Get the health report of a project with its flags',
    answers: {
      200: stream(
        z.object({
          version,
          name,
          description,
          defaultStickiness,
          mode,
          featureLimit,
          members,
          health,
          technicalDebt,
          environments,
          updatedAt,
          createdAt,
          favorite,
          featureNaming,
          stats: projectStatsSchema,
          ...counts,
          features: z.array(featureSchema),
        }),
      ),
    },
  },
  'GET /api/admin/projects/:projectId/insights': {
    access: 'signed-in',
    summary: 'Get the insights of a project: recent statistics and health',
    answers: ok({
      stats: projectStatsSchema,
      health: z.object({ rating: health, ...counts }),
      technicalDebt: z.object({ rating: technicalDebt, ...counts }),
      leadTime: leadTimeSchema,
      featureTypeCounts,
      members: z.object({
        currentMembers: count,
        change: count.meta({ description: 'Members added in the last 30 days' }),
      }),
    }),
  },
  'GET /api/admin/projects/:projectId/status': {
    access: 'signed-in',
    summary: 'Get the status of a project: resources, activity, health and lifecycle stages',
    answers: ok({
      resources: z.object({ members: count, apiTokens: count, segments: count }),
      activityCountByDate: z.array(z.object({ date: z.iso.date(), count })).meta({
        description: 'The number of events by day (UTC) in the last year, oldest first, without days that had none',
      }),
      health: z.object({ current: health }),
      technicalDebt: z.object({ current: technicalDebt }),
      lifecycleSummary: z.object({
        initial: stageSummary,
        preLive: stageSummary,
        live: stageSummary,
        completed: stageSummary,
        archived: z.object({ currentFlags: count, last30Days: count }),
      }),
      staleFlags: z.object({ total: count.meta({ description: 'Flags marked as stale, or potentially stale' }) }),
    }),
  },
  'GET /api/admin/projects/:projectId/dora': {
    access: 'signed-in',
    summary: 'Get the lead times of a project’s flags to production',
    answers: { 200: json(leadTimeSchema) },
  },
});
