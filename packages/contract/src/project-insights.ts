import { z } from 'zod';
import { featureSchema } from './features.ts';
import { projectOverviewSchema, projectStatsSchema } from './projects.ts';
import { defineRoutes, json, stream } from './route.ts';
import { nameParam } from './text.ts';

const count = z.number().int();
const days = z.number().meta({ description: 'Days from the creation of a flag until it was evaluated in production' });
const leadTimeSchema = z.object({
  projectAverage: days,
  features: z.array(z.object({ name: z.string(), timeToProduction: days })),
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
const { updatedAt, createdAt, favorite, featureNaming, featureTypeCounts } = projectOverviewSchema.shape;
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
  'GET /api/admin/projects/:projectId/dora': {
    ...route,
    summary: 'How long the flags of a project took to get into production',
    answers: { 200: json(leadTimeSchema) },
    errors: [404],
    emits: [],
  },
});
