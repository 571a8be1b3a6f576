import { badField } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import {
  checkPatternsOf,
  emptyStrategy,
  forEveryone,
  orderDecides,
  placeAfter,
  revise,
  type Strategy,
} from '../strategies/index.ts';
import { type Fault, noting } from './faults.ts';
import type { FlagRules, ProjectOfFlags } from './rules.ts';
import { sameData } from './same-data.ts';
import type { FlagInEnvironment, WantedInEnvironment, WantedStrategy } from './whole-flag.ts';

/** The flag and environment that strategies are planned for. */
export interface StrategyPlace {
  readonly featureName: string;
  readonly environment: string;
  readonly of: ProjectOfFlags;
}

/**
 * The strategies a flag is to have in an environment, in their order. One that is wanted takes the place, and the id, of
 * the one that it says the same as, else of the first one of its name that nothing else takes.
 */
export function planStrategies(
  place: StrategyPlace,
  before: readonly Strategy[],
  { strategies: wanted, isOrderGuessed = false }: WantedOrder,
  rules: FlagRules,
  faults: Fault[],
): readonly Strategy[] | undefined {
  if (wanted.length > rules.limits.strategies) {
    faults.push({ path: 'strategies', message: `must hold at most ${rules.limits.strategies}` });
    return undefined;
  }
  const described = wanted.map((one, index) => describe(place, one, rules, { path: `strategies.${index}`, faults }));
  if (described.some((one) => one === undefined)) return undefined;
  const strategies = described as Strategy[];
  const taken = match(before, strategies);
  const after = strategies.map((one, index) => {
    const old = taken[index];
    const { project } = place.of;
    noting(faults, `strategies.${index}`, () => rules.checkLegal(project.id, one.constraints, old?.constraints ?? []));
    return old === undefined ? one : { ...one, id: old.id, createdAt: old.createdAt };
  });
  noting(faults, '', () => checkPatternsOf(after, before));
  if (isOrderGuessed && !orderDecides(after)) return placed(before, inPresentOrder(before, after), []);
  return placed(before, after, wanted);
}

interface WantedOrder extends Pick<WantedInEnvironment, 'isOrderGuessed'> {
  readonly strategies: readonly WantedStrategy[];
}

/** Strategies that are there in their order, then the new ones. */
function inPresentOrder(before: readonly Strategy[], after: readonly Strategy[]): readonly Strategy[] {
  const places = new Map(before.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: Strategy) => places.get(id) ?? before.length;
  return after.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Whether the flag is on afterwards, and its strategies: one that goes on without an active strategy gets the default one,
 * and one that has just lost its last active one goes off (ADR 7).
 */
export function planSwitch(
  place: StrategyPlace,
  before: FlagInEnvironment,
  wanted: WantedInEnvironment,
  strategies: readonly Strategy[],
  { makeDefault, now }: Pick<FlagRules, 'makeDefault' | 'now'>,
): Pick<FlagInEnvironment, 'enabled' | 'strategies'> {
  const isActive = ({ disabled }: Strategy) => !disabled;
  const enabled = wanted.enabled ?? before.enabled;
  if (!enabled || strategies.some(isActive)) return { enabled, strategies };
  if (wanted.enabled === undefined) return { enabled: !before.strategies.some(isActive), strategies };
  const { id: project, defaultStickiness } = place.of.project;
  const added = makeDefault({ ...place, project }, place.featureName, now, defaultStickiness);
  return { enabled, strategies: [...strategies, { ...added, sortOrder: placeAfter(strategies.at(-1)) }] };
}

/**
 * The strategies of a flag that is to be on, of which none is active: SDKs take it as on for everyone
 * (docs/spec#flag-evaluation), and the list then says so. Else it would get a strategy each time that is not in the
 * list, and lose it.
 */
export function withActive(featureName: string, wanted: WantedInEnvironment): readonly WantedStrategy[] | undefined {
  const { strategies } = wanted;
  if (strategies === undefined || wanted.enabled !== true || strategies.some(({ disabled }) => !disabled))
    return strategies;
  const { name, parameters } = forEveryone('', featureName, '', 0);
  const last = strategies.at(-1)?.sortOrder;
  return [...strategies, { name, parameters, ...(last === undefined ? {} : { sortOrder: last + 1 }) }];
}

/** The strategy that is wanted; undefined, and every fault noted, when there is something wrong with it. */
function describe(
  { featureName, environment, of }: StrategyPlace,
  wanted: WantedStrategy,
  rules: FlagRules,
  { path, faults }: { readonly path: string; readonly faults: Fault[] },
): Strategy | undefined {
  const { segments: names = [], sortOrder: _, ...input } = wanted;
  const found = names.map((name, index) => {
    const inner: Fault[] = [];
    const id = noting(inner, path, () => segmentId(name, index, of.project.id, rules));
    faults.push(...inner.map((one) => (rules.segments.has(name) ? one : { ...one, missingSegment: name })));
    return id;
  });
  const segments = found.filter((id) => id !== undefined);
  const strategy = noting(faults, path, () =>
    revise(
      emptyStrategy(newId(), featureName, environment, rules.now),
      { ...input, segments },
      {
        limits: rules.limits,
        defaultStickiness: of.project.defaultStickiness,
        definition: rules.definitions.get(input.name),
      },
    ),
  );
  return segments.length < names.length ? undefined : strategy;
}

function segmentId(name: string, index: number, project: string, rules: FlagRules): number {
  const segment = rules.segments.get(name);
  if (segment === undefined) throw badField(`segments.${index}`, `must be a segment: there is none named ${name}`);
  if (segment.project === null || segment.project === project) return segment.id;
  throw badField(`segments.${index}`, `must not be ${name}, which only flags of another project may use`);
}

/** For each wanted strategy the present one whose place it takes. */
function match(before: readonly Strategy[], wanted: readonly Strategy[]): readonly (Strategy | undefined)[] {
  const free = new Set(before);
  const found: (Strategy | undefined)[] = wanted.map(() => undefined);
  for (const alike of [saysTheSame, hasSameName]) {
    for (const [index, one] of wanted.entries()) {
      if (found[index] !== undefined) continue;
      const old = [...free].find((candidate) => alike(candidate, one));
      if (old === undefined) continue;
      found[index] = old;
      free.delete(old);
    }
  }
  return found;
}

/** Whether two strategies say the same, wherever they stand. */
function saysTheSame(one: Strategy, other: Strategy): boolean {
  return one.name === other.name && sameData(spoken(one), spoken(other));
}

function hasSameName(one: Strategy, other: Strategy): boolean {
  return one.name === other.name && (one.title === other.title || one.title === null || other.title === null);
}

function spoken({ id: _id, createdAt: _at, sortOrder: _order, ...rest }: Strategy): unknown {
  return rest;
}

/** Gives strategies their places: those that are told when they make an order, else such that as few as can be move. */
function placed(
  before: readonly Strategy[],
  after: readonly Strategy[],
  wanted: readonly WantedStrategy[],
): readonly Strategy[] {
  const told = wanted.map(({ sortOrder }) => sortOrder);
  if (told.length > 0 && isAscending(told)) return after.map((one, index) => ({ ...one, sortOrder: told[index] ?? 0 }));
  const places = new Map(before.map((one, index) => [one.id, index]));
  const kept = after.flatMap(({ id }) => places.get(id) ?? []);
  const keptFirst = after.every(({ id }, index) => places.has(id) === index < kept.length);
  if (!keptFirst || !isAscending(kept)) return after.map((one, index) => ({ ...one, sortOrder: index }));
  const result: Strategy[] = [];
  for (const one of after) {
    const old = before[places.get(one.id) ?? -1];
    result.push({ ...one, sortOrder: old?.sortOrder ?? placeAfter(result.at(-1)) });
  }
  return result;
}

function isAscending(places: readonly (number | undefined)[]): boolean {
  return places.every((place, index) => {
    const last = places[index - 1];
    return place !== undefined && (index === 0 || (last !== undefined && last < place));
  });
}
