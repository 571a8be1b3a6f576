import { badField, Problem } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Db, Tx } from '../../../storage/tx.ts';
import { checkLegalValues } from '../../context-fields/index.ts';
import { requireProject } from '../../projects/index.ts';
import { requireUsableSegments } from '../../segments/index.ts';
import { findStrategyType } from '../../strategy-types/index.ts';
import {
  type Feature,
  type FeatureEvent,
  type FeatureRef,
  recordFor,
  requireFeature,
  requireUsable,
} from '../feature/index.ts';
import { notInEnvironment, setEnabled, statesIn } from '../states/index.ts';
import { deleteStrategyRow, findStrategyPlace, insertStrategies, listStrategies, updateStrategyRow } from './store.ts';
import {
  checkPatternsOf,
  emptyStrategy,
  placeAfter,
  revise,
  type Strategy,
  type StrategyInput,
  type StrategyLimits,
  strategyEventData,
} from './strategy.ts';

export interface FlagEnvironmentRef extends FeatureRef {
  readonly environment: string;
}

export interface StrategyRef extends FlagEnvironmentRef {
  readonly id: string;
}

/** Adds a strategy, after those there are unless it says where. 400 over the limit and for an environment the project does not have. */
export async function addStrategy(
  tx: Tx,
  limits: StrategyLimits,
  ref: FlagEnvironmentRef,
  input: StrategyInput,
): Promise<Strategy> {
  const feature = await requireUsable(tx.db, ref);
  if ((await stateIn(tx.db, ref)) === undefined) {
    throw badField('environment', `must be one of the project ${ref.project}, not ${ref.environment}`);
  }
  const others = await listStrategies(tx.db, [feature.name], ref.environment);
  if (others.length >= limits.strategies) {
    throw new Problem(
      'ExceedsLimitError',
      `The limit of ${limits.strategies} strategies of a flag in an environment is reached.`,
    );
  }
  const empty = emptyStrategy(newId(), feature.name, ref.environment, tx.now);
  const strategy = await revised(tx.db, limits, ref, { ...empty, sortOrder: placeAfter(others.at(-1)) }, input);
  checkPatternsOf([...others, strategy], others);
  await insertStrategies(tx, [strategy]);
  await recordFor(tx, feature, {
    type: 'feature-strategy-add',
    environment: ref.environment,
    data: strategyEventData(strategy),
  });
  return strategy;
}

/** Changes a strategy by what `edit` makes of it as it is at that moment. Nothing is recorded when nothing changes. */
export async function changeStrategy(
  tx: Tx,
  limits: StrategyLimits,
  ref: StrategyRef,
  edit: (current: Strategy) => StrategyInput,
): Promise<Strategy> {
  const { feature, strategies, strategy: before } = await requireChangeable(tx.db, ref);
  const after = await revised(tx.db, limits, ref, before, edit(before));
  const [preData, data] = [strategyEventData(before), strategyEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  const left = strategies.map((one) => (one.id === after.id ? after : one));
  checkPatternsOf(left, strategies);
  await updateStrategyRow(tx, before, after);
  await recordFor(
    tx,
    feature,
    { type: 'feature-strategy-update', environment: ref.environment, preData, data },
    ...(await switchOffWithoutActive(tx, ref, strategies, left)),
  );
  return after;
}

/** Deletes a strategy. */
export async function deleteStrategy(tx: Tx, ref: StrategyRef): Promise<void> {
  const { feature, strategies, strategy } = await requireChangeable(tx.db, ref);
  await deleteStrategyRow(tx, strategy.id);
  const left = strategies.filter(({ id }) => id !== strategy.id);
  await recordFor(
    tx,
    feature,
    { type: 'feature-strategy-remove', environment: ref.environment, preData: strategyEventData(strategy) },
    ...(await switchOffWithoutActive(tx, ref, strategies, left)),
  );
}

/** Gives strategies their places. Recorded only when their order is another one then; else nothing changes. */
export async function orderStrategies(
  tx: Tx,
  ref: FlagEnvironmentRef,
  places: readonly { readonly id: string; readonly sortOrder: number }[],
): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  const before = await listStrategiesOf(tx.db, ref);
  const wanted = new Map(places.map(({ id, sortOrder }) => [id, sortOrder]));
  const unknown = places.findIndex(({ id }) => !before.some((one) => one.id === id));
  if (unknown >= 0) throw badField(`${unknown}.id`, 'must be the id of a strategy of the flag in this environment');
  const again = places.findIndex(({ id }, index) => places.findIndex((one) => one.id === id) < index);
  if (again >= 0) throw badField(`${again}.id`, 'must not be that of a strategy named before');
  const after = before
    .map((one) => ({ ...one, sortOrder: wanted.get(one.id) ?? one.sortOrder }))
    .sort((a, b) => a.sortOrder - b.sortOrder);
  const [preData, data] = [before, after].map((list) => ({ strategyIds: list.map(({ id }) => id) }));
  if (JSON.stringify(preData) === JSON.stringify(data)) return;
  for (const strategy of after) {
    const old = before.find(({ id }) => id === strategy.id);
    if (old !== undefined && wanted.has(old.id)) await updateStrategyRow(tx, old, strategy);
  }
  await recordFor(tx, feature, { type: 'strategy-order-changed', environment: ref.environment, preData, data });
}

/** The strategies of a flag in an environment, in their order. 404 for a flag or environment that is not there. */
export async function listStrategiesOf(db: Db, ref: FlagEnvironmentRef): Promise<Strategy[]> {
  const feature = await requireFeature(db, ref);
  if ((await stateIn(db, ref)) === undefined) throw notInEnvironment(feature.name, ref.environment);
  return listStrategies(db, [feature.name], ref.environment);
}

/** Which strategy that is, without being told its flag. 404 when it is in another environment, or none of that id is there. */
export async function requireStrategyPlace(db: Db, { project, environment, id }: Omit<StrategyRef, 'featureName'>) {
  const place = await findStrategyPlace(db, id);
  if (place?.environment === environment) return { project, environment, id, featureName: place.featureName };
  throw new Problem('NotFoundError', `There is no strategy ${id} in ${environment}.`);
}

/** The strategy, or a 404. */
export async function requireStrategy(db: Db, ref: StrategyRef): Promise<Strategy> {
  return oneOf(await listStrategiesOf(db, ref), ref);
}

async function requireChangeable(db: Db, ref: StrategyRef) {
  const feature: Feature = await requireUsable(db, ref);
  const strategies = await listStrategiesOf(db, ref);
  return { feature, strategies, strategy: oneOf(strategies, ref) };
}

function oneOf(strategies: readonly Strategy[], { id, featureName, environment }: StrategyRef): Strategy {
  const strategy = strategies.find((one) => one.id === id);
  if (strategy !== undefined) return strategy;
  throw new Problem('NotFoundError', `The flag ${featureName} has no strategy ${id} in ${environment}.`);
}

/**
 * Switches a flag off that has just lost its last active strategy. SDKs take a flag without strategies as on for
 * everyone (docs/spec#flag-evaluation), which nobody means who takes away the one that limits it.
 */
async function switchOffWithoutActive(
  tx: Tx,
  ref: FlagEnvironmentRef,
  before: readonly Strategy[],
  after: readonly Strategy[],
): Promise<FeatureEvent[]> {
  const isActive = ({ disabled }: Strategy) => !disabled;
  if (!before.some(isActive) || after.some(isActive) || !(await stateIn(tx.db, ref))) return [];
  await setEnabled(tx, ref.environment, [ref.featureName], false);
  return [{ type: 'feature-environment-disabled', environment: ref.environment }];
}

async function stateIn(db: Db, { featureName, environment }: FlagEnvironmentRef): Promise<boolean | undefined> {
  return (await statesIn(db, environment, [featureName])).get(featureName);
}

/** {@link revise}, and what only the database can tell. What stays was looked at when it came. */
export async function revised(
  db: Db,
  limits: StrategyLimits,
  { project }: Pick<FeatureRef, 'project'>,
  before: Strategy,
  input: StrategyInput,
): Promise<Strategy> {
  const [{ defaultStickiness }, definition] = await Promise.all([
    requireProject(db, project),
    findStrategyType(db, input.name ?? before.name),
  ]);
  const after = revise(before, input, { limits, defaultStickiness, definition });
  await checkLegalValues(db, project, after.constraints, before.constraints);
  if (after.segments.some((id) => !before.segments.includes(id))) {
    await requireUsableSegments(db, input.segments ?? [], project);
  }
  return after;
}
