import { z } from 'zod';
import { eventSchema } from './events.ts';
import { projectSchema } from './projects.ts';
import { defineRoutes, ok } from './route.ts';
import { dateTime } from './scalars.ts';

const roles = z
  .array(z.object({ id: z.number().int(), name: z.string(), type: z.string() }))
  .meta({ description: 'Roles of the caller in the project, directly or through a group' });

const flagSchema = z.object({
  name: z.string(),
  project: z.string(),
  type: z.string(),
  createdAt: dateTime,
  created: z.boolean().meta({ description: 'Whether the caller created it' }),
  favorite: z.boolean().meta({ description: 'Whether it is a favorite of the caller' }),
});

const administratorSchema = z.object({
  id: z.number().int(),
  name: z.string().nullable(),
  username: z.string().nullable(),
  email: z.string().nullable(),
});

const insightsSchema = z.object({
  health: z.number().int(),
  technicalDebt: z.number().int(),
  totalFlags: z.number().int(),
  activeFlags: z.number().int(),
  staleFlags: z.number().int(),
  potentiallyStaleFlags: z.number().int(),
});

const { owners, onboardingStatus } = projectSchema.shape;

const shownEventSchema = eventSchema.pick({
  id: true,
  type: true,
  createdAt: true,
  createdBy: true,
  createdByUserId: true,
  featureName: true,
  environment: true,
  label: true,
  summary: true,
});
const latestEventSchema = shownEventSchema.extend({ createdByImageUrl: z.string() });

export const personalDashboardRoutes = defineRoutes('Personal dashboard', {
  'GET /api/admin/personal-dashboard': {
    access: 'signed-in',
    summary: 'Get my projects, my flags and the administrators',
    answers: ok({
      projects: z
        .array(projectSchema.extend({ roles }))
        .meta({ description: 'Projects in which the caller has a role, by name, without archived projects' }),
      flags: z.array(flagSchema).meta({
        description:
          'The newest 100 flags that the caller created or made a favorite, newest first, without archived flags',
      }),
      administrators: z.array(administratorSchema).meta({ description: 'Users with the permission ADMIN' }),
      admins: z
        .array(administratorSchema.extend({ imageUrl: z.string() }))
        .meta({ description: 'Same as `administrators`' }),
      projectOwners: owners.meta({ description: 'Owners of these projects, without duplicates' }),
    }),
  },
  'GET /api/admin/personal-dashboard/:projectId': {
    access: 'signed-in',
    summary: 'Get a project with its latest events and my roles in it',
    answers: ok({
      project: projectSchema,
      roles,
      latestEvents: z.array(latestEventSchema).meta({ description: 'The last 10 events, newest first' }),
      owners,
      onboardingStatus,
      insights: insightsSchema,
    }),
  },
});
