import type { projectRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { addEnvironment, removeEnvironment } from './environment-commands.ts';
import { checkNaming } from './naming.ts';
import { presentCreated } from './present.ts';
import { toLinkTemplates } from './project.ts';
import type { DeleteProjectData, ProjectFlags, ReviewedIn, SetRequiredApprovals } from './project-flags.ts';
import { projectReaders } from './reading-routes.ts';
import { checkReasonRule } from './reason-rule.ts';

export interface ProjectRoutesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly flags: ProjectFlags;
  /** Run in this order when a project is deleted. */
  readonly projectDataDeleters: readonly DeleteProjectData[];
  readonly setRequiredApprovals: SetRequiredApprovals;
  readonly reviewedIn: ReviewedIn;
  /** Maximum number of projects. */
  readonly limit: number;
}

export function projectHandlers({
  database,
  clock,
  flags,
  projectDataDeleters,
  setRequiredApprovals,
  reviewedIn,
  limit,
}: ProjectRoutesOptions): Handlers<typeof projectRoutes> {
  const { db, write } = database;
  return {
    ...projectReaders({ database, clock, flags, reviewedIn }),
    'POST /api/admin/projects': async ({ body, author }) => {
      const created = await write(author, (tx) => commands.createProject(tx, limit, setRequiredApprovals, body));
      return { body: presentCreated(created) };
    },
    'PUT /api/admin/projects/:projectId': async ({ params, body, author }) => {
      await write(author, (tx) => commands.updateProject(tx, params.projectId, body));
    },
    'PUT /api/admin/projects/:projectId/settings': async ({ params, body, author }) => {
      const naming = body.featureNaming === undefined ? undefined : checkNaming(body.featureNaming);
      const { mode, featureLimit } = body;
      const changeReason = body.changeReason === undefined ? undefined : checkReasonRule(body.changeReason);
      const linkTemplates = body.linkTemplates === undefined ? undefined : toLinkTemplates(body.linkTemplates);
      await write(author, (tx) =>
        commands.updateProject(tx, params.projectId, { mode, featureLimit, naming, linkTemplates, changeReason }),
      );
    },
    'DELETE /api/admin/projects/:projectId': async ({ params, author }) =>
      write(author, (tx) => commands.deleteProject(tx, flags, projectDataDeleters, params.projectId)),
    'POST /api/admin/projects/archive/:projectId': async ({ params, author }) =>
      write(author, (tx) => commands.archiveProject(tx, flags, params.projectId)),
    'POST /api/admin/projects/revive/:projectId': async ({ params, author }) =>
      write(author, (tx) => commands.reviveProject(tx, params.projectId)),
    'POST /api/admin/projects/validate': async ({ body, caller }) => commands.requireFreeId(db, caller, body.id),
    ...environmentsOfProject({ write, flags, setRequiredApprovals }),
  };
}

type EnvironmentRoute = Extract<keyof typeof projectRoutes, `${string}/:projectId/environments${string}`>;

/** Returns the handlers of the routes that add environments to a project and remove them. */
function environmentsOfProject({
  write,
  flags,
  setRequiredApprovals,
}: Pick<Database, 'write'> & Pick<ProjectRoutesOptions, 'flags' | 'setRequiredApprovals'>): Pick<
  Handlers<typeof projectRoutes>,
  EnvironmentRoute
> {
  return {
    'POST /api/admin/projects/:projectId/environments': async ({ params, body, author }) => {
      const { environment, defaultStrategy, changeRequestsEnabled: reviewed = false } = body;
      await write(author, async (tx) => {
        await addEnvironment(tx, flags, { project: params.projectId, environment }, defaultStrategy);
        if (reviewed) await setRequiredApprovals(tx, params.projectId, environment, undefined);
      });
    },
    'DELETE /api/admin/projects/:projectId/environments/:environment': async ({ params, author }) =>
      write(author, (tx) => removeEnvironment(tx, flags, params.projectId, params.environment)),
  };
}
