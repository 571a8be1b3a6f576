import type { DefaultStrategyBody } from '@yardarm/contract';
import { Problem } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Db, Tx } from '../../../storage/tx.ts';
import { listEnvironmentsOfProject } from '../../environments/index.ts';
import { requireProject } from '../../projects/index.ts';
import {
  completeParameters,
  emptyStrategy,
  forEveryone,
  revised,
  type Strategy,
  type StrategyLimits,
} from '../strategies/index.ts';
import { type DefaultStrategy, presentDefault, strategyOf } from './default-strategy.ts';
import { deleteDefaults, insertDefaults, listDefaults } from './store.ts';

/** Which place a default strategy is for. */
export interface DefaultPlace {
  readonly project: string;
  readonly environment: string;
}

/**
 * Sets the default strategy of a project in an environment, checked as any strategy (docs/spec#strategies). 404 when
 * the project does not have the environment. Nothing is recorded when it is that already.
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
  const checked = await revised(tx.db, limits, { project }, emptyStrategy('', '', environment, tx.now), input);
  const { name, title, constraints, variants, segments } = checked;
  // As it was said: what is missing depends on the flag that gets it.
  const parameters = input.parameters ?? {};
  const after: DefaultStrategy = { project, environment, name, title, parameters, constraints, variants, segments };
  const before = (await listDefaults(tx.db, { project, environment }))[0];
  const [preData, data] = [before === undefined ? null : presentDefault(before), presentDefault(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return after;
  await deleteDefaults(tx, project, environment);
  await insertDefaults(tx, [after]);
  tx.record({ type: 'default-strategy-updated', project, environment, preData, data });
  return after;
}

/**
 * The strategies that flags get which are switched on without an active one: the default of their project in the
 * environment, else a rollout to everyone (docs/spec#flag-environments). Not stored yet.
 */
export async function newDefaultsFor(tx: Tx, place: DefaultPlace, names: readonly string[]): Promise<Strategy[]> {
  const [given] = await listDefaults(tx.db, place);
  if (given === undefined) return names.map((name) => forEveryone(newId(), name, place.environment, tx.now));
  const { defaultStickiness } = await requireProject(tx.db, place.project);
  return names.map((name) => completeParameters(strategyOf(given, newId(), name, tx.now), defaultStickiness));
}

/** What {@link newDefaultsFor} makes, for flags of any project. One statement, whatever is then made. */
export async function loadDefaults(db: Db): Promise<MakeDefault> {
  const defaults = new Map((await listDefaults(db, {})).map((one) => [`${one.project} ${one.environment}`, one]));
  return ({ project, environment }, featureName, now, defaultStickiness) => {
    const given = defaults.get(`${project} ${environment}`);
    if (given === undefined) return forEveryone(newId(), featureName, environment, now);
    return completeParameters(strategyOf(given, newId(), featureName, now), defaultStickiness);
  };
}

/** The strategy that a flag gets which is switched on without an active one. */
export type MakeDefault = (
  place: DefaultPlace,
  featureName: string,
  now: number,
  defaultStickiness: string,
) => Strategy;

/** The default strategies of a project by environment, as they are answered. */
export async function defaultsByEnvironment(db: Db, project: string) {
  const defaults = await listDefaults(db, { project });
  return new Map(defaults.map((one) => [one.environment, presentDefault(one)]));
}

/** Copies the default strategies that projects have in an environment into another one, in which they have none. */
export async function copyDefaults(
  tx: Tx,
  { from, to, projects }: { readonly from: string; readonly to: string; readonly projects: readonly string[] },
): Promise<void> {
  const copied = (await listDefaults(tx.db, { environment: from }))
    .filter(({ project }) => projects.includes(project))
    .map((one) => ({ ...one, environment: to }));
  if (copied.length === 0) return;
  await insertDefaults(tx, copied);
  for (const one of copied) {
    const { project, environment } = one;
    tx.record({ type: 'default-strategy-updated', project, environment, preData: null, data: presentDefault(one) });
  }
}

/** Forgets the default strategies of a project that is about to go: they hold what else of it must go. */
export async function deleteDefaultsOfProject(tx: Tx, project: string): Promise<void> {
  await deleteDefaults(tx, project);
}
