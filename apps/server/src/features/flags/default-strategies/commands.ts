import type { DefaultStrategyBody } from '@yardarm/contract';
import {
  checkAndRevise,
  completeParameters,
  emptyStrategy,
  fullRollout,
  type Strategy,
  type StrategyLimits,
} from '#features/flags/strategies/index.ts';
import { listEnvironmentsOfProject } from '#features/projects/environments/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import { Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { isSameJson } from '#kernel/same-json.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type DefaultStrategy, presentDefault, strategyOf } from './default-strategy.ts';
import { deleteDefaults, insertDefaults, listDefaults } from './store.ts';

/** The project and environment of a default strategy. */
export interface DefaultPlace {
  readonly project: string;
  readonly environment: string;
}

/**
 * Sets the default strategy of a project in an environment, checked like any strategy (docs/spec#strategies). Rejects
 * with 404 when the project does not have the environment. Records no event when nothing changes.
 */
export async function setDefaultStrategy(
  tx: Tx,
  limits: StrategyLimits,
  { project, environment }: DefaultPlace,
  input: DefaultStrategyBody,
): Promise<DefaultStrategy> {
  await requireProject(tx.db, project);
  const environments = await listEnvironmentsOfProject(tx.db, project);
  if (!environments.some(({ name }) => name === environment)) {
    throw new Problem('NotFoundError', `The project ${project} has no environment ${environment}.`);
  }
  const stored = await listDefaults(tx.db, { projects: [project], environment });
  const empty = emptyStrategy('', '', environment, tx.now);
  const checked = await checkAndRevise(tx.db, limits, { project }, empty, input, stored);
  const { name, title, constraints, variants, segments } = checked;
  // Stored as given: the missing parameters are completed for each flag that gets the strategy.
  const parameters = input.parameters ?? {};
  const after: DefaultStrategy = { project, environment, name, title, parameters, constraints, variants, segments };
  const before = stored[0];
  const [preData, data] = [before === undefined ? null : presentDefault(before), presentDefault(after)];
  if (isSameJson(preData, data)) return after;
  await deleteDefaults(tx, project, environment);
  await insertDefaults(tx, [after]);
  tx.record({ type: 'default-strategy-updated', project, environment, preData, data });
  return after;
}

/**
 * Creates, without storing them, the strategies of flags that are switched on without an active strategy: the default
 * strategy of the project in the environment, or else a rollout to everyone (docs/spec#flag-environments).
 */
export async function createDefaultStrategies(
  tx: Tx,
  place: DefaultPlace,
  names: readonly string[],
): Promise<Strategy[]> {
  const [defaultStrategy] = await listDefaults(tx.db, { projects: [place.project], environment: place.environment });
  if (defaultStrategy === undefined) return names.map((name) => fullRollout(newId(), name, place.environment, tx.now));
  const { defaultStickiness } = await requireProject(tx.db, place.project);
  return names.map((name) => completeParameters(strategyOf(defaultStrategy, newId(), name, tx.now), defaultStickiness));
}

/**
 * Loads all default strategies with one statement and returns a factory that does what {@link createDefaultStrategies}
 * does.
 */
export async function loadDefaultStrategyFactory(db: Db): Promise<DefaultStrategyFactory> {
  const defaults = new Map(
    (await listDefaults(db, {})).map((strategy) => [`${strategy.project} ${strategy.environment}`, strategy]),
  );
  return ({ project, environment }, featureName, now, defaultStickiness) => {
    const defaultStrategy = defaults.get(`${project} ${environment}`);
    if (defaultStrategy === undefined) return fullRollout(newId(), featureName, environment, now);
    return completeParameters(strategyOf(defaultStrategy, newId(), featureName, now), defaultStickiness);
  };
}

/** Creates the strategy of a flag that is switched on without an active strategy. */
export type DefaultStrategyFactory = (
  place: DefaultPlace,
  featureName: string,
  now: number,
  defaultStickiness: string,
) => Strategy;

/** Returns the default strategies of a project by environment, as the API answers them. */
export async function defaultsByEnvironment(db: Db, project: string) {
  const defaults = await listDefaults(db, { projects: [project] });
  return new Map(defaults.map((strategy) => [strategy.environment, presentDefault(strategy)]));
}

/** Copies the default strategies of projects in an environment to another environment in which they have none. */
export async function copyDefaults(
  tx: Tx,
  { from, to, projects }: { readonly from: string; readonly to: string; readonly projects: readonly string[] },
): Promise<void> {
  const copied = (await listDefaults(tx.db, { environment: from }))
    .filter(({ project }) => projects.includes(project))
    .map((strategy) => ({ ...strategy, environment: to }));
  if (copied.length === 0) return;
  await insertDefaults(tx, copied);
  for (const strategy of copied) {
    const { project, environment } = strategy;
    tx.record({
      type: 'default-strategy-updated',
      project,
      environment,
      preData: null,
      data: presentDefault(strategy),
    });
  }
}

/**
 * Deletes the default strategies of a project. They refer to segments and context fields of the project, so they must
 * be deleted first.
 */
export async function deleteDefaultsOfProject(tx: Tx, project: string): Promise<void> {
  await deleteDefaults(tx, project);
}
