import type { projectRoutes } from '@yardarm/contract';
import { listEnvironmentsOfProject } from '#features/projects/environments/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { requireProject } from './commands.ts';
import { projectOwners } from './owners.ts';
import { presentOverview, presentProject } from './present.ts';
import { noFlags, type ProjectFlags, type ReviewedIn } from './project-flags.ts';
import { projectStats } from './stats.ts';
import { countMembers, favoriteProjects, lastEventTimes, listProjects } from './store.ts';

export interface ProjectReadersOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly flags: ProjectFlags;
  readonly reviewedIn: ReviewedIn;
}

type Reads = 'GET /api/admin/projects' | 'GET /api/admin/projects/:projectId/overview';

/** Returns the handlers of the routes that list and show projects. */
export function projectReaders({
  database: { db },
  clock,
  flags,
  reviewedIn,
}: ProjectReadersOptions): Pick<Handlers<typeof projectRoutes>, Reads> {
  return {
    'GET /api/admin/projects': async ({ query, caller }) => {
      const projects = await presentedProjects(db, flags, caller, clock.now(), query.archived === 'true');
      return { body: { version: 1, projects } };
    },
    'GET /api/admin/projects/:projectId/overview': async ({ params: { projectId }, caller }) => ({
      body: await projectOverview({ db, flags, reviewedIn, now: clock.now() }, projectId, caller),
    }),
  };
}

export interface OverviewParts {
  readonly db: Db;
  readonly flags: ProjectFlags;
  readonly reviewedIn: ReviewedIn;
  readonly now: number;
}

/** Returns the overview of a project, with a constant number of statements. Rejects with 404 for an unknown project. */
export async function projectOverview(
  { db, flags, reviewedIn, now }: OverviewParts,
  projectId: string,
  caller: Identity,
) {
  const project = await requireProject(db, projectId);
  const [environments, reviewed, defaultStrategies, statistics, oldest, favorites, members, stats] = await Promise.all([
    listEnvironmentsOfProject(db, projectId),
    reviewedIn(db, projectId),
    flags.defaultStrategies(db, projectId),
    flags.statistics(db, now, projectId),
    flags.oldest(db, [projectId]),
    favoriteProjects(db, caller.actor.userId),
    countMembers(db, projectId),
    projectStats(db, flags, projectId, now),
  ]);
  return presentOverview(project, environments, statistics.get(projectId) ?? noFlags, {
    oldestFlag: oldest.get(projectId),
    defaultStrategies,
    reviewed,
    favorites,
    members: members.get(projectId) ?? 0,
    stats,
  });
}

/** Returns the list of projects that the caller may see, ordered by name, with a constant number of statements. */
export async function presentedProjects(db: Db, flags: ProjectFlags, caller: Identity, now: number, archived: boolean) {
  const [all, statistics, favorites, members, owners, changes] = await Promise.all([
    listProjects(db, archived),
    flags.statistics(db, now),
    favoriteProjects(db, caller.actor.userId),
    countMembers(db),
    projectOwners(db),
    lastEventTimes(db),
  ]);
  const visible = all.filter(({ id }) => !caller.hidden.has(id));
  const oldest = await flags.oldest(
    db,
    visible.map(({ id }) => id),
  );
  return visible.map((project) =>
    presentProject(project, statistics.get(project.id) ?? noFlags, {
      favorites,
      members: members.get(project.id) ?? 0,
      oldestFlag: oldest.get(project.id),
      owners: owners.get(project.id) ?? [],
      changedAt: changes.get(project.id) ?? project.updatedAt,
    }),
  );
}

/** Returns a project, archived or not, in the format of {@link presentedProjects}. Rejects with 404 if unknown. */
export async function presentedProject(db: Db, flags: ProjectFlags, caller: Identity, now: number, projectId: string) {
  const project = await requireProject(db, projectId);
  const [statistics, favorites, members, owners, changes, oldest] = await Promise.all([
    flags.statistics(db, now, projectId),
    favoriteProjects(db, caller.actor.userId),
    countMembers(db, projectId),
    projectOwners(db, projectId),
    lastEventTimes(db, projectId),
    flags.oldest(db, [projectId]),
  ]);
  return presentProject(project, statistics.get(projectId) ?? noFlags, {
    favorites,
    members: members.get(projectId) ?? 0,
    oldestFlag: oldest.get(projectId),
    owners: owners.get(projectId) ?? [],
    changedAt: changes.get(projectId) ?? project.updatedAt,
  });
}
