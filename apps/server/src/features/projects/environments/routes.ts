import type { DefaultStrategyAnswer, environmentRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { unknownProject } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Database } from '#storage/database.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type CopyEnvironmentData, cloneEnvironment } from './clone.ts';
import * as commands from './commands.ts';
import type { Environment } from './environment.ts';
import { presentEnvironment, presentEnvironmentOfProject } from './present.ts';
import { environmentUses, useOf } from './queries.ts';
import { knownProjects, listEnvironments, listEnvironmentsOfProject } from './store.ts';

export interface EnvironmentRoutesOptions {
  /** Maximum number of environments. */
  readonly limit: number;
  /** Run in this order when an environment is cloned. */
  readonly copies: readonly CopyEnvironmentData[];
  /** Returns the default strategies of a project by environment. */
  readonly defaultStrategies: (db: Db, project: string) => Promise<ReadonlyMap<string, DefaultStrategyAnswer>>;
  /** Records the end of what an environment has before it is deleted. */
  readonly beforeDelete: (tx: Tx, environment: string) => Promise<void>;
}

export function environmentHandlers(
  { db, write }: Database,
  { limit, copies, defaultStrategies, beforeDelete }: EnvironmentRoutesOptions,
): Handlers<typeof environmentRoutes> {
  const present = async (environment: Environment, { hidden }: Identity) =>
    presentEnvironment(environment, useOf(await environmentUses(db, { hidden }), environment.name));
  return {
    'GET /api/admin/environments': async ({ caller: { hidden } }) => {
      const [all, uses] = await Promise.all([listEnvironments(db), environmentUses(db, { hidden })]);
      const environments = all.map((environment) => presentEnvironment(environment, useOf(uses, environment.name)));
      return { body: { version: 1, environments } };
    },
    'GET /api/admin/environments/:name': async ({ params, caller }) => ({
      body: await present(await commands.requireEnvironment(db, params.name), caller),
    }),
    'GET /api/admin/environments/project/:projectId': async ({ params }) => {
      const environments = await listEnvironmentsOfProject(db, params.projectId);
      if (environments.length === 0 && !(await knownProjects(db, [params.projectId])).has(params.projectId))
        throw unknownProject(params.projectId);
      const [uses, strategies] = await Promise.all([
        environmentUses(db, { project: params.projectId }),
        defaultStrategies(db, params.projectId),
      ]);
      return {
        body: {
          version: 1,
          environments: environments.map((environment) =>
            presentEnvironmentOfProject(environment, useOf(uses, environment.name), strategies.get(environment.name)),
          ),
        },
      };
    },
    'POST /api/admin/environments': async ({ body, author, caller }) => {
      const environment = await write(author, (tx) => commands.createEnvironment(tx, limit, body));
      return {
        body: await present(environment, caller),
        headers: { location: `environments/${environment.name}` },
      };
    },
    'PUT /api/admin/environments/update/:name': async ({ params, body, author, caller }) => {
      const { type, sortOrder, requiredApprovals } = body;
      const environment = await write(author, (tx) =>
        commands.updateEnvironment(tx, params.name, { type, sortOrder, requiredApprovals }),
      );
      return { body: await present(environment, caller) };
    },
    'POST /api/admin/environments/:name/clone': async ({ params, body, author, caller }) => {
      const created = await write(author, (tx) => cloneEnvironment(tx, limit, copies, params.name, body));
      return { body: await present(created, caller) };
    },
    'DELETE /api/admin/environments/:name': async ({ params, author }) =>
      write(author, (tx) => commands.deleteEnvironment(tx, params.name, beforeDelete)),
    'POST /api/admin/environments/validate': async ({ body }) => commands.requireFreeName(db, body.name),
    'PUT /api/admin/environments/sort-order': async ({ body, author }) =>
      write(author, (tx) => commands.sortEnvironments(tx, body)),
    'POST /api/admin/environments/:name/on': async ({ params, author }) => {
      await write(author, (tx) => commands.updateEnvironment(tx, params.name, { enabled: true }));
    },
    'POST /api/admin/environments/:name/off': async ({ params, author }) => {
      await write(author, (tx) => commands.updateEnvironment(tx, params.name, { enabled: false }));
    },
  };
}
