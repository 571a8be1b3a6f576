import type { personalDashboardRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { listRoles, projectRolesOf } from '../access/index.ts';
import { presentEvent } from '../events/index.ts';
import { type ProjectFlags, presentedProjects, requireProject } from '../projects/index.ts';
import { administrators, flagsOf, latestEvents } from './queries.ts';

export function personalDashboardHandlers(
  { db }: Database,
  clock: Clock,
  flags: ProjectFlags,
): Handlers<typeof personalDashboardRoutes> {
  return {
    'GET /api/admin/personal-dashboard': async ({ caller }) => {
      const [admins, all, roles, own] = await Promise.all([
        administrators(db),
        presentedProjects(db, flags, caller, clock.now(), false),
        projectRolesOf(db, caller.actor.userId),
        flagsOf(db, caller.actor.userId, caller.hidden),
      ]);
      const taking = new Set(roles.map(({ project }) => project));
      const projects = all.filter(({ id, favorite }) => favorite || taking.has(id));
      const owners = projects.flatMap((project) =>
        project.owners.map((owner) => [JSON.stringify(owner), owner] as const),
      );
      const projectOwners = [...new Map(owners).values()];
      return { status: 200, body: { admins, projects, projectOwners, flags: own } };
    },
    'GET /api/admin/personal-dashboard/:projectId': async ({ params: { projectId }, caller }) => {
      const { archivedAt } = await requireProject(db, projectId);
      const [all, held, roles, events] = await Promise.all([
        presentedProjects(db, flags, caller, clock.now(), archivedAt !== null),
        projectRolesOf(db, caller.actor.userId, projectId),
        listRoles(db),
        latestEvents(db, projectId),
      ]);
      const project = all.find(({ id }) => id === projectId);
      // It was deleted, archived or revived a moment ago.
      if (project === undefined) throw new Problem('NotFoundError', `There is no project ${projectId}.`);
      const { health, technicalDebt, featureCount, staleFeatureCount, potentiallyStaleFeatureCount } = project;
      const mine = new Set(held.map(({ roleId }) => roleId));
      return {
        status: 200,
        body: {
          insights: {
            health,
            technicalDebt,
            totalFlags: featureCount,
            activeFlags: featureCount - staleFeatureCount - potentiallyStaleFeatureCount,
            staleFlags: staleFeatureCount,
            potentiallyStaleFlags: potentiallyStaleFeatureCount,
          },
          onboardingStatus: project.onboardingStatus,
          latestEvents: events.map(presentEvent),
          roles: roles.filter(({ id }) => mine.has(id)),
          owners: project.owners,
        },
      };
    },
  };
}
