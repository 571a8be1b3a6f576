import { endTokensOfEnvironment } from '#features/people/api-tokens/index.ts';
import { Problem } from '#kernel/errors.ts';
import { limitReached } from '#kernel/limits.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type Environment, environmentEventData } from './environment.ts';
import { isInUse } from './queries.ts';
import * as store from './store.ts';

export interface EnvironmentInput {
  readonly name: string;
  readonly type: string;
  readonly enabled?: boolean | undefined;
  readonly sortOrder?: number | undefined;
  readonly requiredApprovals?: number | null | undefined;
}

export interface EnvironmentChange {
  readonly type?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly sortOrder?: number | undefined;
  readonly requiredApprovals?: number | null | undefined;
}

/** Default distance between sort orders; leaves room to insert environments in between. */
const orderStep = 100;
const maxSortOrder = 2147483647;

/** Creates an environment, by default enabled and last in sort order. Rejects with 409 when the name is taken. */
export async function createEnvironment(tx: Tx, limit: number, input: EnvironmentInput): Promise<Environment> {
  await requireFreeName(tx.db, input.name);
  const present = await store.listEnvironments(tx.db);
  if (present.length >= limit) {
    throw limitReached(limit, 'environments');
  }
  const environment: Environment = {
    name: input.name,
    type: input.type,
    enabled: input.enabled ?? true,
    protected: false,
    sortOrder: input.sortOrder ?? Math.min((present.at(-1)?.sortOrder ?? 0) + orderStep, maxSortOrder),
    requiredApprovals: input.requiredApprovals ?? null,
  };
  await store.insertEnvironment(tx, environment);
  tx.record({
    type: 'environment-created',
    environment: environment.name,
    data: environmentEventData(environment),
  });
  return environment;
}

/** Changes the fields that `change` has. Records nothing when nothing changes. */
export async function updateEnvironment(tx: Tx, name: string, change: EnvironmentChange): Promise<Environment> {
  return applyChange(tx, await requireEnvironment(tx.db, name), change);
}

/** Sets sort orders by environment name. Rejects with 404, changing nothing, when an environment does not exist. */
export async function sortEnvironments(tx: Tx, sortOrders: Readonly<Record<string, number>>): Promise<void> {
  const environments = new Map(
    (await store.listEnvironments(tx.db)).map((environment) => [environment.name, environment]),
  );
  for (const [name, sortOrder] of Object.entries(sortOrders)) {
    const environment = environments.get(name);
    if (environment === undefined) throw notFound(name);
    await applyChange(tx, environment, { sortOrder });
  }
}

/**
 * Deletes an environment with the state of flags there, after `beforeDelete`. Rejects with 400 while a flag is on
 * there, also by a hold, or while a project has no other environment.
 */
export async function deleteEnvironment(
  tx: Tx,
  name: string,
  beforeDelete: (tx: Tx, environment: string) => Promise<void>,
): Promise<void> {
  const environment = await requireEnvironment(tx.db, name);
  if (await isInUse(tx.db, name)) {
    throw new Problem(
      'BadRequestError',
      `Flags are on in ${name}, by their state or by a hold. Switch them off and release the holds before you delete the environment.`,
    );
  }
  const projects = await store.projectsOf(tx.db, name);
  const last = projects.find((project) => project.environments === 1);
  if (last !== undefined) {
    throw new Problem(
      'MinimumOneEnvironmentError',
      `${name} is the only environment of the project ${last.project}. Add another environment to the project, or remove this one from it, first.`,
    );
  }
  await beforeDelete(tx, name);
  await endTokensOfEnvironment(tx, name);
  await store.deleteEnvironmentRow(tx, name);
  tx.record({ type: 'environment-deleted', environment: name, preData: environmentEventData(environment) });
  for (const { project } of projects) tx.record({ type: 'project-environment-removed', project, environment: name });
}

/** Returns the environment. Rejects with 404 when it does not exist. */
export async function requireEnvironment(db: Db, name: string): Promise<Environment> {
  const environment = await store.findEnvironment(db, name);
  if (environment === undefined) throw notFound(name);
  return environment;
}

/** Rejects with 409 when the name is taken. */
export async function requireFreeName(db: Db, name: string): Promise<void> {
  if ((await store.findEnvironment(db, name)) === undefined) return;
  throw new Problem('NameExistsError', `An environment named ${name} exists already.`, {
    details: [{ message: 'is taken', path: 'name' }],
  });
}

async function applyChange(tx: Tx, before: Environment, change: EnvironmentChange): Promise<Environment> {
  const after: Environment = {
    ...before,
    type: change.type ?? before.type,
    enabled: change.enabled ?? before.enabled,
    sortOrder: change.sortOrder ?? before.sortOrder,
    requiredApprovals: change.requiredApprovals === undefined ? before.requiredApprovals : change.requiredApprovals,
  };
  const [preData, data] = [environmentEventData(before), environmentEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  await store.updateEnvironmentRow(tx, after);
  tx.record({ type: 'environment-updated', environment: after.name, preData, data });
  return after;
}

function notFound(name: string): Problem {
  return new Problem('NotFoundError', `There is no environment ${name}.`);
}
