import { percentageParameters } from '#features/flags/held-state/index.ts';
import type { ClientFeatureEnvironment, ClientStrategy } from '#features/flags/reading/index.ts';
import { strategyColumns } from '#features/flags/strategies/index.ts';
import { isSameJson } from '#kernel/same-json.ts';

/** How a change alters who gets a flag. `unknown`: some users may get the flag who did not. */
export type Exposure = 'lower' | 'equal' | 'higher' | 'unknown';

/** The parts of a flag in an environment that decide who gets it. */
export type ServedState = Pick<ClientFeatureEnvironment, 'enabled' | 'strategies' | 'variantsJson'>;

/** The parent's state that a child flag needs. */
export interface Need {
  readonly enabled: boolean;
  readonly variants: readonly string[];
}

/**
 * Returns how a change of a flag alters who gets the flag and its children. A child that needs its parent off is on for
 * more users when the parent is on for fewer. Compares strategies one by one: an answer other than `unknown` holds for
 * every user, while `unknown` can be any change.
 */
export function exposure(before: ServedState, after: ServedState, needs: readonly Need[] = []): Exposure {
  const own = compare(before, after);
  return [own, ...needs.map((need) => exposureOfChild(own, before, after, need))].reduce(combine);
}

function compare(before: ServedState, after: ServedState): Exposure {
  const [had, has] = [grantsOf(before), grantsOf(after)];
  const isWithin = has.every((grant) => had.some((wider) => covers(wider, grant)));
  const isAround = had.every((grant) => has.some((wider) => covers(wider, grant)));
  if (isWithin) return isAround ? 'equal' : 'lower';
  return isAround ? 'higher' : 'unknown';
}

function exposureOfChild(parent: Exposure, before: ServedState, after: ServedState, need: Need): Exposure {
  const variantsOf = ({ strategies, variantsJson }: ServedState) => [
    variantsJson,
    ...strategies.filter(({ disabled }) => !disabled).map((strategy) => strategy.variantsJson),
  ];
  if (need.variants.length > 0 && after.enabled && !isSameJson(variantsOf(before), variantsOf(after))) return 'unknown';
  if (need.enabled) return parent;
  return parent === 'lower' ? 'higher' : parent === 'higher' ? 'lower' : parent;
}

function combine(a: Exposure, b: Exposure): Exposure {
  if (a === b || b === 'equal') return a;
  return a === 'equal' ? b : 'unknown';
}

/** A strategy as far as it decides who gets the flag: users of its segments and constraints, up to a percentage. */
interface Grant {
  readonly name: string;
  /** The parameters other than the percentage, as text. */
  readonly parameters: string;
  readonly percentage: number;
  readonly constraints: ReadonlySet<string>;
  readonly segments: ReadonlySet<number>;
}

/** Returns what serves the flag to users. A flag that is on without active strategies is on for everyone (ADR 7). */
function grantsOf({ enabled, strategies }: ServedState): Grant[] {
  if (!enabled) return [];
  const active = strategies.filter(({ disabled }) => !disabled);
  return active.length === 0 ? [everyone] : active.map(grantOf).filter(({ percentage }) => percentage > 0);
}

const everyone: Grant = {
  name: 'default',
  parameters: '[]',
  percentage: 100,
  constraints: new Set(),
  segments: new Set(),
};

function grantOf({ id, name, parametersJson, constraintsJson, segments }: ClientStrategy): Grant {
  const limits = {
    constraints: new Set(strategyColumns.constraints.parse(constraintsJson, id).map((each) => JSON.stringify(each))),
    segments: new Set(segments),
  };
  if (name === 'default') return { ...everyone, ...limits };
  const all = strategyColumns.parameters.parse(parametersJson, id);
  const parameter = percentageParameters[name];
  if (parameter === undefined) return { name, parameters: textOf(all), percentage: 100, ...limits };
  const { [parameter]: percentage = '0', ...others } = all;
  return { name, parameters: textOf(others), percentage: Number(percentage) || 0, ...limits };
}

function textOf(parameters: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(parameters).toSorted());
}

/** Returns whether each user whom `grant` serves is served by `wider`, too. */
function covers(wider: Grant, grant: Grant): boolean {
  const isSame = wider.name === grant.name && wider.parameters === grant.parameters;
  const isEveryone = wider.name === 'default';
  return (
    (isEveryone || (isSame && wider.percentage >= grant.percentage)) &&
    [...wider.constraints].every((constraint) => grant.constraints.has(constraint)) &&
    [...wider.segments].every((segment) => grant.segments.has(segment))
  );
}
