import { z } from 'zod';
import { inProject } from './features.ts';
import { ownerSchema, projectSchema } from './projects.ts';
import { defineRoutes, json } from './route.ts';
import { dateTime, id } from './scalars.ts';

const tag = 'Personal dashboard';
const count = z.number().int();

/** What a caller has to do with (unleash-facts appendix A). */
export const personalDashboardRoutes = defineRoutes({
  'GET /api/admin/personal-dashboard': {
    tag,
    summary: 'My projects and flags: those I have a part in, have created, or favor; and who can help me',
    access: 'signed-in',
    answers: {
      200: json(
        z.object({
          admins: z.array(
            z.object({
              id,
              name: z.string().nullable(),
              username: z.string().nullable(),
              email: z.string().nullable(),
            }),
          ),
          projects: z.array(
            projectSchema.pick({
              id: true,
              name: true,
              health: true,
              technicalDebt: true,
              memberCount: true,
              featureCount: true,
            }),
          ),
          projectOwners: z.array(ownerSchema).meta({ description: 'Owners of the projects above, each once' }),
          flags: z.array(z.object({ name: z.string(), project: z.string(), type: z.string() })),
        }),
      ),
    },
    errors: [],
    emits: [],
  },
  'GET /api/admin/personal-dashboard/:projectId': {
    tag,
    summary: 'How a project is, what happened in it of late, and my roles in it',
    access: 'signed-in',
    params: inProject,
    answers: {
      200: json(
        z.object({
          insights: z.object({
            health: count,
            technicalDebt: count,
            totalFlags: count,
            activeFlags: count.meta({ description: 'Neither stale nor older than flags of their type become' }),
            staleFlags: count,
            potentiallyStaleFlags: count,
          }),
          onboardingStatus: projectSchema.shape.onboardingStatus,
          latestEvents: z.array(
            z.object({ id: count, summary: z.string(), createdBy: z.string(), createdAt: dateTime }),
          ),
          roles: z.array(z.object({ id, name: z.string(), type: z.string() })),
          owners: projectSchema.shape.owners,
        }),
      ),
    },
    errors: [404],
    emits: [],
  },
});
