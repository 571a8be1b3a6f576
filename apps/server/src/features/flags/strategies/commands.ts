import { checkLegalValues } from '#features/flags/context-fields/index.ts';
import {
  type FeatureEvent,
  type FeatureRef,
  recordEvents,
  recordEventsWithTags,
  requireFeature,
  requireUsable,
  tagsByFeature,
} from '#features/flags/feature/index.ts';
import { requireUsableSegments } from '#features/flags/segments/index.ts';
import { notInEnvironment, setEnabled, statesIn } from '#features/flags/states/index.ts';
import { findStrategyType } from '#features/flags/strategy-types/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { isSameJson } from '#kernel/same-json.ts';
import type { Db, Tx } from '#storage/tx.ts';
import {
  deleteStrategyRow,
  deleteStrategyRows,
  findStrategyLocation,
  insertStrategies,
  listStrategies,
  updateStrategyRow,
} from './store.ts';
import {
  checkPatternsOf,
  emptyStrategy,
  type Kept,
  revise,
  type Strategy,
  type StrategyInput,
  type StrategyLimits,
  sortOrderAfter,
  strategyEventData,
} from './strategy.ts';

export interface FlagEnvironmentRef extends FeatureRef {
  readonly environment: string;
}

export interface StrategyRef extends FlagEnvironmentRef {
  readonly id: string;
}

/**
 * Adds a strategy, last unless `sortOrder` is given. Rejects with 400 over the limit and for an environment that the
 * project does not have.
 */
export async function addStrategy(
  tx: Tx,
  limits: StrategyLimits,
  ref: FlagEnvironmentRef,
  input: StrategyInput,
): Promise<Strategy> {
  const { feature, enabled, strategies: others } = await readInEnvironment(tx.db, ref, requireUsable);
  if (enabled === undefined) {
    throw badField('environment', `must be an environment of the project ${ref.project}, not ${ref.environment}`);
  }
  requireFewer(others.length, ref, limits);
  const empty = emptyStrategy(newId(), feature.name, ref.environment, tx.now);
  const strategy = await checkAndRevise(
    tx.db,
    limits,
    ref,
    { ...empty, sortOrder: sortOrderAfter(others.at(-1)) },
    input,
  );
  checkPatternsOf([...others, strategy], others);
  await insertStrategies(tx, [strategy]);
  await recordEvents(tx, feature, {
    type: 'feature-strategy-add',
    environment: ref.environment,
    data: strategyEventData(strategy),
  });
  return strategy;
}

/**
 * Updates a strategy with the input that `edit` derives from the current strategy. Records no event when nothing
 * changes.
 */
export function changeStrategy(
  tx: Tx,
  limits: StrategyLimits,
  ref: StrategyRef,
  edit: (current: Strategy) => StrategyInput,
): Promise<Strategy> {
  return changeChosenStrategy(tx, limits, ref, (strategies) => pickStrategy(strategies, ref), edit);
}

/** Like {@link changeStrategy}, for the strategy that `choose` returns from those of the flag in the environment. */
export async function changeChosenStrategy(
  tx: Tx,
  limits: StrategyLimits,
  ref: FlagEnvironmentRef,
  choose: (strategies: readonly Strategy[]) => Strategy,
  edit: (current: Strategy) => StrategyInput,
): Promise<Strategy> {
  const [{ feature, strategies }, tags] = await Promise.all([
    requireInEnvironment(tx.db, ref, requireUsable),
    tagsByFeature(tx.db, [ref.featureName]),
  ]);
  const before = choose(strategies);
  const after = await checkAndRevise(tx.db, limits, ref, before, edit(before));
  const [preData, data] = [strategyEventData(before), strategyEventData(after)];
  if (isSameJson(preData, data)) return before;
  const remaining = strategies.map((strategy) => (strategy.id === after.id ? after : strategy));
  checkPatternsOf(remaining, strategies);
  const switched = await switchOffWithoutStrategies(tx, ref, strategies, remaining);
  const event = { type: 'feature-strategy-update', environment: ref.environment, preData, data } as const;
  await updateStrategyRow(tx, before, after);
  recordEventsWithTags(tx, feature, tags.get(feature.name) ?? [], event, ...switched);
  return after;
}

export async function deleteStrategy(tx: Tx, ref: StrategyRef): Promise<void> {
  const { feature, strategies } = await requireInEnvironment(tx.db, ref, requireUsable);
  const strategy = pickStrategy(strategies, ref);
  await deleteStrategyRow(tx, strategy.id);
  const remaining = strategies.filter(({ id }) => id !== strategy.id);
  await recordEvents(
    tx,
    feature,
    { type: 'feature-strategy-remove', environment: ref.environment, preData: strategyEventData(strategy) },
    ...(await switchOffWithoutStrategies(tx, ref, strategies, remaining)),
  );
}

/**
 * Sets the sort orders of strategies, and records the order in which they are served. Stores and records nothing when
 * that order stays the same.
 */
export async function orderStrategies(
  tx: Tx,
  ref: FlagEnvironmentRef,
  places: readonly { readonly id: string; readonly sortOrder: number }[],
): Promise<void> {
  const { feature, strategies: before } = await requireInEnvironment(tx.db, ref, requireUsable);
  const sortOrders = new Map(places.map(({ id, sortOrder }) => [id, sortOrder]));
  const unknown = places.findIndex(({ id }) => !before.some((strategy) => strategy.id === id));
  if (unknown >= 0)
    throw badField(
      `${unknown}.id`,
      `must be the id of a strategy of the flag ${ref.featureName} in ${ref.environment}`,
    );
  const duplicate = places.findIndex(({ id }, index) => places.findIndex((place) => place.id === id) < index);
  if (duplicate >= 0) throw badField(`${duplicate}.id`, 'must not repeat the id of an earlier item');
  const after = before
    .map((strategy) => ({ ...strategy, sortOrder: sortOrders.get(strategy.id) ?? strategy.sortOrder }))
    .sort((a, b) => a.sortOrder - b.sortOrder || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const [preData, data] = [before, after].map((list) => ({ strategyIds: list.map(({ id }) => id) }));
  if (JSON.stringify(preData) === JSON.stringify(data)) return;
  for (const strategy of after) {
    const old = before.find(({ id }) => id === strategy.id);
    if (old !== undefined && sortOrders.has(old.id)) await updateStrategyRow(tx, old, strategy);
  }
  await recordEvents(tx, feature, { type: 'strategy-order-changed', environment: ref.environment, preData, data });
}

/**
 * Removes the strategies `remove` of a flag in an environment and appends the strategies `add`, which the caller has
 * checked. Records no event. Returns the event to record when the flag is switched off because it lost its last active
 * strategy. Rejects with 400 over the limit, and when a segment no longer exists.
 */
export async function exchangeStrategies(
  tx: Tx,
  limits: StrategyLimits,
  ref: FlagEnvironmentRef,
  { remove, add }: { readonly remove: ReadonlySet<string>; readonly add: readonly Strategy[] },
): Promise<FeatureEvent[]> {
  const before = await listStrategiesOf(tx.db, ref);
  const kept = before.filter(({ id }) => !remove.has(id));
  const first = sortOrderAfter(kept.at(-1));
  const added = add.map((strategy, index) => ({ ...strategy, sortOrder: first + index }));
  const after = [...kept, ...added];
  if (add.length > 0) requireFewer(after.length - 1, ref, limits);
  checkPatternsOf(after, before);
  const segments = [...new Set(add.flatMap((strategy) => strategy.segments))];
  if (segments.length > 0) await requireUsableSegments(tx.db, segments, ref.project);
  await deleteStrategyRows(tx, [...remove]);
  await insertStrategies(tx, added);
  return switchOffWithoutStrategies(tx, ref, before, after);
}

/**
 * Returns the strategies of a flag in an environment, in order. Rejects with 404 for an unknown flag or environment.
 */
export async function listStrategiesOf(db: Db, ref: FlagEnvironmentRef): Promise<Strategy[]> {
  return (await requireInEnvironment(db, ref, requireFeature)).strategies;
}

/** Returns a flag and its strategies in an environment. Rejects with 404 when the project has no such environment. */
async function requireInEnvironment(db: Db, ref: FlagEnvironmentRef, require: RequireFlag) {
  const { feature, enabled, strategies } = await readInEnvironment(db, ref, require);
  if (enabled === undefined) throw notInEnvironment(feature.name, ref.environment);
  return { feature, strategies };
}

type RequireFlag = typeof requireFeature;

/** Reads with statements that are sent together, so that a change waits for the database once. */
async function readInEnvironment(db: Db, ref: FlagEnvironmentRef, require: RequireFlag) {
  const [feature, enabled, strategies] = await Promise.all([
    require(db, ref),
    loadState(db, ref),
    listStrategies(db, [ref.featureName], ref.environment),
  ]);
  return { feature, enabled, strategies };
}

/** Finds the flag of a strategy. Rejects with 404 when the environment has no strategy with the id. */
export async function resolveStrategyRef(db: Db, { project, environment, id }: Omit<StrategyRef, 'featureName'>) {
  const place = await findStrategyLocation(db, id);
  if (place?.environment === environment) return { project, environment, id, featureName: place.featureName };
  throw new Problem('NotFoundError', `There is no strategy ${id} in ${environment}.`);
}

/** Returns the strategy. Rejects with 404 when the flag has no such strategy in the environment. */
export async function requireStrategy(db: Db, ref: StrategyRef): Promise<Strategy> {
  return pickStrategy(await listStrategiesOf(db, ref), ref);
}

/** Rejects with 400 when a flag with `count` strategies in an environment cannot get another one. */
function requireFewer(count: number, { featureName, environment }: FlagEnvironmentRef, limits: StrategyLimits): void {
  if (count < limits.strategies) return;
  throw new Problem(
    'ExceedsLimitError',
    `The flag ${featureName} has ${count} strategies in ${environment}, and the limit is ${limits.strategies}.`,
  );
}

function pickStrategy(strategies: readonly Strategy[], { id, featureName, environment }: StrategyRef): Strategy {
  const strategy = strategies.find((present) => present.id === id);
  if (strategy !== undefined) return strategy;
  throw new Problem('NotFoundError', `The flag ${featureName} has no strategy ${id} in ${environment}.`);
}

/**
 * Switches off a flag that just lost its last active strategy. SDKs treat a flag without strategies as on for everyone
 * (docs/spec#flag-evaluation), which would release the flag to everyone by deleting the strategy that limits it.
 */
async function switchOffWithoutStrategies(
  tx: Tx,
  ref: FlagEnvironmentRef,
  before: readonly Strategy[],
  after: readonly Strategy[],
): Promise<FeatureEvent[]> {
  const isActive = ({ disabled }: Strategy) => !disabled;
  if (!before.some(isActive) || after.some(isActive) || !(await loadState(tx.db, ref))) return [];
  await setEnabled(tx, ref.environment, [ref.featureName], false);
  return [{ type: 'feature-environment-disabled', environment: ref.environment }];
}

async function loadState(db: Db, { featureName, environment }: FlagEnvironmentRef): Promise<boolean | undefined> {
  return (await statesIn(db, environment, [featureName])).get(featureName);
}

/**
 * Runs {@link revise} with the checks that need the database. Parts that do not change, or that a strategy of `kept`
 * holds, are not checked again.
 */
export async function checkAndRevise(
  db: Db,
  limits: StrategyLimits,
  { project }: Pick<FeatureRef, 'project'>,
  before: Strategy,
  input: StrategyInput,
  kept: readonly Kept[] = [],
): Promise<Strategy> {
  const [{ defaultStickiness }, definition] = await Promise.all([
    requireProject(db, project),
    findStrategyType(db, input.name ?? before.name),
  ]);
  const after = revise(before, input, { limits, defaultStickiness, definition, kept });
  await checkLegalValues(db, project, after.constraints, before.constraints);
  if (after.segments.some((id) => !before.segments.includes(id))) {
    await requireUsableSegments(db, input.segments ?? [], project);
  }
  return after;
}
