import {
  checkPatternsOf,
  emptyStrategy,
  fullRollout,
  type Kept,
  orderAffectsVariants,
  revise,
  type Strategy,
  sortOrderAfter,
} from '#features/flags/strategies/index.ts';
import { badField } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { isSameJson } from '#kernel/same-json.ts';
import { collectFaults, type Fault } from './faults.ts';
import type { DesiredEnvironment, DesiredStrategy, FlagInEnvironment } from './flag-definition.ts';
import type { FlagRules, ProjectWithEnvironments } from './rules.ts';

/** The flag and environment that strategies are planned for. */
export interface StrategyPlace {
  readonly featureName: string;
  readonly environment: string;
  readonly target: ProjectWithEnvironments;
}

/**
 * Returns the strategies of a flag in an environment after the plan, in order. A desired strategy takes over the id of
 * a present strategy: of an equal one, or else of the first unmatched one with the same name.
 */
export function planStrategies(
  place: StrategyPlace,
  before: readonly Strategy[],
  { strategies: desired, isOrderGuessed = false, strategiesOfPlan = 0 }: DesiredOrder,
  rules: FlagRules,
  faults: Fault[],
): readonly Strategy[] | undefined {
  if (desired.length + strategiesOfPlan > rules.limits.strategies) {
    const ofPlan = strategiesOfPlan === 0 ? '' : `, with the ${strategiesOfPlan} of the release plan`;
    faults.push({ path: 'strategies', message: `must have at most ${rules.limits.strategies} strategies${ofPlan}` });
    return undefined;
  }
  const converted = desired.map((strategy, index) =>
    toStrategy(place, strategy, before, rules, { path: `strategies.${index}`, faults }),
  );
  if (converted.some((strategy) => strategy === undefined)) return undefined;
  const strategies = converted as Strategy[];
  const taken = matchPresent(before, strategies);
  const after = strategies.map((strategy, index) => {
    const old = taken[index];
    const { project } = place.target;
    collectFaults(faults, `strategies.${index}`, () =>
      rules.checkLegal(project.id, strategy.constraints, old?.constraints ?? []),
    );
    return old === undefined ? strategy : { ...strategy, id: old.id, createdAt: old.createdAt };
  });
  collectFaults(faults, '', () => checkPatternsOf(after, before));
  if (isOrderGuessed && !orderAffectsVariants(after))
    return withSortOrders(before, keepPresentOrder(before, after), []);
  return withSortOrders(before, after, desired);
}

interface DesiredOrder extends Pick<DesiredEnvironment, 'isOrderGuessed' | 'strategiesOfPlan'> {
  readonly strategies: readonly DesiredStrategy[];
}

/** Puts the present strategies first, in their present order, before the new ones. */
function keepPresentOrder(before: readonly Strategy[], after: readonly Strategy[]): readonly Strategy[] {
  const places = new Map(before.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: Strategy) => places.get(id) ?? before.length;
  return after.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Returns the state and strategies of a flag after the plan. A flag that is switched on without an active strategy gets
 * the default strategy; a flag that loses its last active strategy is switched off (ADR 7).
 */
export function planEnabled(
  place: StrategyPlace,
  before: FlagInEnvironment,
  desired: DesiredEnvironment,
  strategies: readonly Strategy[],
  { makeDefault, now }: Pick<FlagRules, 'makeDefault' | 'now'>,
): Pick<FlagInEnvironment, 'enabled' | 'strategies'> {
  const isActive = ({ disabled }: Strategy) => !disabled;
  const enabled = desired.enabled ?? before.enabled;
  if (!enabled || strategies.some(isActive) || hasPlan(desired)) return { enabled, strategies };
  if (desired.enabled === undefined) return { enabled: !before.strategies.some(isActive), strategies };
  const { id: project, defaultStickiness } = place.target.project;
  const added = makeDefault({ ...place, project }, place.featureName, now, defaultStickiness);
  return { enabled, strategies: [...strategies, { ...added, sortOrder: sortOrderAfter(strategies.at(-1)) }] };
}

/**
 * Returns the desired strategies, with a rollout to everyone when the flag is to be on and none of them is active. SDKs
 * treat such a flag as on for everyone (docs/spec#flag-evaluation). Without the explicit strategy, each apply would add
 * the default strategy and remove it again.
 */
export function withActiveStrategy(
  featureName: string,
  desired: DesiredEnvironment,
): readonly DesiredStrategy[] | undefined {
  const { strategies } = desired;
  if (strategies === undefined || desired.enabled !== true || hasPlan(desired)) return strategies;
  if (strategies.some(({ disabled }) => !disabled)) return strategies;
  const { name, parameters } = fullRollout('', featureName, '', 0);
  const last = strategies.at(-1)?.sortOrder;
  return [...strategies, { name, parameters, ...(last === undefined ? {} : { sortOrder: last + 1 }) }];
}

/** Returns whether a release plan serves an active strategy, so that the flag needs none of its own. */
function hasPlan({ strategiesOfPlan = 0 }: DesiredEnvironment): boolean {
  return strategiesOfPlan > 0;
}

/**
 * Returns a strategy of a milestone as it would be stored, in place of `before` if there is one; undefined after adding
 * its faults.
 */
export function planMilestoneStrategy(
  place: StrategyPlace,
  before: Strategy | undefined,
  desired: DesiredStrategy,
  rules: FlagRules,
  at: { readonly path: string; readonly faults: Fault[] },
): Strategy | undefined {
  const old = before === undefined ? [] : [before];
  const strategy = toStrategy(place, desired, old, rules, at);
  if (strategy === undefined) return undefined;
  collectFaults(at.faults, at.path, () => {
    rules.checkLegal(place.target.project.id, strategy.constraints, before?.constraints ?? []);
    checkPatternsOf([strategy], old);
  });
  if (before === undefined) return strategy;
  return { ...strategy, id: before.id, createdAt: before.createdAt, sortOrder: before.sortOrder };
}

/** Returns the desired strategy, which may repeat what `kept` holds, or undefined after adding its faults. */
function toStrategy(
  { featureName, environment, target }: StrategyPlace,
  desired: DesiredStrategy,
  kept: readonly Kept[],
  rules: FlagRules,
  { path, faults }: { readonly path: string; readonly faults: Fault[] },
): Strategy | undefined {
  const { segments: names = [], sortOrder: _, ...input } = desired;
  const found = names.map((name, index) => {
    const inner: Fault[] = [];
    const id = collectFaults(inner, path, () => segmentId(name, index, target.project.id, rules));
    faults.push(...inner.map((fault) => (rules.segments.has(name) ? fault : { ...fault, missingSegment: name })));
    return id;
  });
  const segments = found.filter((id) => id !== undefined);
  const strategy = collectFaults(faults, path, () =>
    revise(
      emptyStrategy(newId(), featureName, environment, rules.now),
      { ...input, segments },
      {
        limits: rules.limits,
        defaultStickiness: target.project.defaultStickiness,
        definition: rules.definitions.get(input.name),
        kept,
      },
    ),
  );
  return segments.length < names.length ? undefined : strategy;
}

function segmentId(name: string, index: number, project: string, rules: FlagRules): number {
  const segment = rules.segments.get(name);
  if (segment === undefined)
    throw badField(`segments.${index}`, `must be the name of a segment: there is no segment named ${name}`);
  if (segment.project === null || segment.project === project) return segment.id;
  throw badField(`segments.${index}`, `must not be ${name}: only flags of another project may use this segment`);
}

/** Returns the matching present strategy for each desired strategy. */
function matchPresent(before: readonly Strategy[], desired: readonly Strategy[]): readonly (Strategy | undefined)[] {
  const free = new Set(before);
  const found: (Strategy | undefined)[] = desired.map(() => undefined);
  for (const matches of [isEqual, hasSameName]) {
    for (const [index, strategy] of desired.entries()) {
      if (found[index] !== undefined) continue;
      const old = [...free].find((candidate) => matches(candidate, strategy));
      if (old === undefined) continue;
      found[index] = old;
      free.delete(old);
    }
  }
  return found;
}

/** Returns whether two strategies are equal apart from id, creation time and sort order. */
function isEqual(a: Strategy, b: Strategy): boolean {
  return a.name === b.name && isSameJson(comparable(a), comparable(b));
}

function hasSameName(a: Strategy, b: Strategy): boolean {
  return a.name === b.name && (a.title === b.title || a.title === null || b.title === null);
}

function comparable({ id: _id, createdAt: _at, sortOrder: _order, ...rest }: Strategy): unknown {
  return rest;
}

/**
 * Assigns sort orders: the desired ones when they are given and ascending, or else sort orders that change as few
 * strategies as possible.
 */
function withSortOrders(
  before: readonly Strategy[],
  after: readonly Strategy[],
  desired: readonly DesiredStrategy[],
): readonly Strategy[] {
  const sortOrders = desired.map(({ sortOrder }) => sortOrder);
  if (sortOrders.length > 0 && isAscending(sortOrders))
    return after.map((strategy, index) => ({ ...strategy, sortOrder: sortOrders[index] ?? 0 }));
  const places = new Map(before.map((strategy, index) => [strategy.id, index]));
  const kept = after.flatMap(({ id }) => places.get(id) ?? []);
  const keptFirst = after.every(({ id }, index) => places.has(id) === index < kept.length);
  if (!keptFirst || !isAscending(kept)) return after.map((strategy, index) => ({ ...strategy, sortOrder: index }));
  const result: Strategy[] = [];
  for (const strategy of after) {
    const old = before[places.get(strategy.id) ?? -1];
    result.push({ ...strategy, sortOrder: old?.sortOrder ?? sortOrderAfter(result.at(-1)) });
  }
  return result;
}

function isAscending(places: readonly (number | undefined)[]): boolean {
  return places.every((place, index) => {
    const last = places[index - 1];
    return place !== undefined && (index === 0 || (last !== undefined && last < place));
  });
}
