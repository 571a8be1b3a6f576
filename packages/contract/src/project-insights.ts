import { z } from 'zod';
import { featureSchema } from './flags.ts';
import { projectOverviewSchema, projectStatsSchema } from './projects.ts';
import { defineRoutes, json, stream } from './route.ts';
import { nameParam } from './text.ts';

const count = z.number().int();
const days = z.number().meta({ description: 'Days from the creation of a flag until it was evaluated in production' });
const leadTimeSchema = z.object({
  projectAverage: days,
  features: z.array(z.object({ name: z.string(), timeToProduction: days })),
});
const stageSummary = z.object({
  averageDays: z
    .number()
    .nullable()
    .meta({ description: 'Days that flags were in the stage before they left it; null when none has' }),
  currentFlags: count,
});
const counts = {
  activeCount: count.meta({ description: 'Flags that are neither of the others' }),
  potentiallyStaleCount: count.meta({
    description: 'Flags that are older than flags of their type are expected to become',
  }),
  staleCount: count.meta({ description: 'Flags that are marked as stale' }),
};
const { version, name, description, defaultStickiness, mode, featureLimit, members, health, environments } =
  projectOverviewSchema.shape;
const { updatedAt, createdAt, favorite, featureNaming, featureTypeCounts, technicalDebt } = projectOverviewSchema.shape;
const route = { tag: 'Projects', access: 'signed-in', params: z.object({ projectId: nameParam }) } as const;

/** How a project is doing, in numbers. Unleash calls these routes deprecated and still serves them. */
export const projectInsightsRoutes = defineRoutes({
  'GET /api/admin/projects/:projectId/health-report': {
    ...route,
    summary: 'How healthy a project is, with its flags',
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
    errors: [404],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/insights': {
    ...route,
    summary: 'What happened in a project lately, and how healthy it is',
    answers: {
      200: json(
        z.object({
          stats: projectStatsSchema,
          health: z.object({ rating: health, ...counts }),
          technicalDebt: z.object({ rating: technicalDebt, ...counts }),
          leadTime: leadTimeSchema,
          featureTypeCounts,
          members: z.object({
            currentMembers: count,
            change: count.meta({ description: 'Those of them who came in the last 30 days' }),
          }),
        }),
      ),
    },
    errors: [404],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/status': {
    ...route,
    summary: 'How a project is doing: what it has, what happens in it, and how far its flags have got',
    answers: {
      200: json(
        z.object({
          resources: z.object({ members: count, apiTokens: count, segments: count }),
          activityCountByDate: z
            .array(z.object({ date: z.iso.date(), count }))
            .meta({ description: 'Events of each day (UTC) of the last year that had any, the oldest first' }),
          health: z.object({ current: health }),
          technicalDebt: z.object({ current: technicalDebt }),
          lifecycleSummary: z.object({
            initial: stageSummary,
            preLive: stageSummary,
            live: stageSummary,
            completed: stageSummary,
            archived: z.object({ currentFlags: count, last30Days: count }),
          }),
          staleFlags: z.object({ total: count.meta({ description: 'Flags that are stale or potentially stale' }) }),
        }),
      ),
    },
    errors: [404],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/dora': {
    ...route,
    summary: 'How long the flags of a project took to get into production',
    answers: { 200: json(leadTimeSchema) },
    errors: [404],
    emits: [],
  },
});
