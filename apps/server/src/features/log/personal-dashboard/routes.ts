import type { personalDashboardRoutes } from '@yardarm/contract';
import { latestEvents } from '#features/log/events/index.ts';
import { type ProjectFlags, presentedProject, presentedProjects } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { administrators, ownFlags, type ProjectRole, rolesInProjects } from './queries.ts';

const maxEvents = 10;

/** Serves the projects, flags and events of the caller. The number of statements does not grow with the data. */
export function personalDashboardHandlers(
  { db }: Pick<Database, 'db'>,
  clock: Clock,
  flags: ProjectFlags,
): Handlers<typeof personalDashboardRoutes> {
  return {
    'GET /api/admin/personal-dashboard': async ({ caller }) => {
      const { userId } = caller.actor;
      const [projects, roles, own, people] = await Promise.all([
        presentedProjects(db, flags, caller, clock.now(), false),
        rolesInProjects(db, userId),
        ownFlags(db, userId, caller.hidden),
        administrators(db),
      ]);
      const rolesOf = Map.groupBy(roles, ({ project }) => project);
      const mine = projects.flatMap((project) => {
        const held = rolesOf.get(project.id);
        return held === undefined ? [] : [{ ...project, roles: held.map(presentRole) }];
      });
      const shown = own.map((flag) => ({ ...flag, createdAt: isoTime(flag.createdAt) }));
      const admins = people.map((person) => ({ ...person, imageUrl: '' }));
      const owners = new Map(mine.flatMap((project) => project.owners.map((owner) => [JSON.stringify(owner), owner])));
      const body = {
        projects: mine,
        flags: shown,
        administrators: people,
        admins,
        projectOwners: [...owners.values()],
      };
      return { body };
    },
    'GET /api/admin/personal-dashboard/:projectId': async ({ params: { projectId }, caller }) => {
      const [project, roles, events] = await Promise.all([
        presentedProject(db, flags, caller, clock.now(), projectId),
        rolesInProjects(db, caller.actor.userId, projectId),
        latestEvents(db, projectId, maxEvents),
      ]);
      const { owners, onboardingStatus } = project;
      return {
        body: {
          project,
          roles: roles.map(presentRole),
          latestEvents: events.map((event) => ({ ...event, createdByImageUrl: '' })),
          owners,
          onboardingStatus,
          insights: insightsOf(project),
        },
      };
    },
  };
}

function insightsOf(project: Awaited<ReturnType<typeof presentedProject>>) {
  const { health, technicalDebt, featureCount, staleFeatureCount, potentiallyStaleFeatureCount } = project;
  return {
    health,
    technicalDebt,
    totalFlags: featureCount,
    activeFlags: featureCount - staleFeatureCount - potentiallyStaleFeatureCount,
    staleFlags: staleFeatureCount,
    potentiallyStaleFlags: potentiallyStaleFeatureCount,
  };
}

function presentRole({ id, name, type }: ProjectRole) {
  return { id, name, type };
}
