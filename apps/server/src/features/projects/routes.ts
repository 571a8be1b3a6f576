import type { projectRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { listEnvironmentsOfProject } from '../environments/index.ts';
import * as commands from './commands.ts';
import { addEnvironment, removeEnvironment } from './environment-commands.ts';
import { presentCreated, presentOverview, presentProject } from './present.ts';
import { type DeleteOfProject, noFlags, type ProjectFlags } from './project-flags.ts';
import { favoriteProjects, listProjects } from './store.ts';

export interface ProjectRoutesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly flags: ProjectFlags;
  /** In the order in which it is done. */
  readonly belongings: readonly DeleteOfProject[];
  /** Most projects there may be. */
  readonly limit: number;
}

export function projectHandlers({
  database: { db, write },
  clock,
  flags,
  belongings,
  limit,
}: ProjectRoutesOptions): Handlers<typeof projectRoutes> {
  return {
    'GET /api/admin/projects': async ({ query, caller }) => {
      const [projects, statistics, favorites] = await Promise.all([
        listProjects(db, query.archived === 'true'),
        flags.statistics(db, clock.now()),
        favoriteProjects(db, caller.actor.userId),
      ]);
      return {
        status: 200,
        body: {
          version: 1,
          projects: projects.map((one) => presentProject(one, statistics.get(one.id) ?? noFlags, favorites)),
        },
      };
    },
    'GET /api/admin/projects/:projectId/overview': async ({ params: { projectId }, caller }) => {
      const project = await commands.requireProject(db, projectId);
      const [environments, statistics, oldest, favorites] = await Promise.all([
        listEnvironmentsOfProject(db, projectId),
        flags.statistics(db, clock.now(), projectId),
        flags.oldest(db, projectId),
        favoriteProjects(db, caller.actor.userId),
      ]);
      const numbers = statistics.get(projectId) ?? noFlags;
      const body = presentOverview(project, environments, numbers, oldest, favorites);
      return { status: 200, body };
    },
    'POST /api/admin/projects': async ({ body, caller, request }) => {
      const created = await write(authorOf(caller, request), (tx) => commands.createProject(tx, limit, body));
      return { status: 201, body: presentCreated(created.project, created.environments) };
    },
    'PUT /api/admin/projects/:projectId': async ({ params, body, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.updateProject(tx, params.projectId, body));
      return { status: 200 };
    },
    'DELETE /api/admin/projects/:projectId': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteProject(tx, flags, belongings, params.projectId));
      return { status: 200 };
    },
    'POST /api/admin/projects/validate': async ({ body }) => {
      await commands.requireFreeId(db, body.id);
      return { status: 200 };
    },
    'POST /api/admin/projects/:projectId/environments': async ({ params, body, caller, request }) => {
      await write(authorOf(caller, request), (tx) => addEnvironment(tx, flags, params.projectId, body.environment));
      return { status: 200 };
    },
    'DELETE /api/admin/projects/:projectId/environments/:environment': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) =>
        removeEnvironment(tx, flags, params.projectId, params.environment),
      );
      return { status: 200 };
    },
  };
}
