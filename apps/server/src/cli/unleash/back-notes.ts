import type { Note } from './notes.ts';
import type { Export } from './split-export.ts';

type Strategy = Export['featureStrategies'][number];
type Constraint = Strategy['constraints'][number];

/** Operators that Unleash 8.2 has in a default installation. Newer ones are behind its flags, or only here. */
const operators82 = new Set([
  ...['IN', 'NOT_IN', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'],
  ...['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE', 'DATE_AFTER', 'DATE_BEFORE'],
  ...['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_LT'],
]);

/** The default limits of Unleash 8.2. */
const limits = { constraints: 30, values: 250, valueLength: 100, segments: 5, strategies: 30 };

/** The state of flags here that an export does not have. */
export interface StateHere {
  /** Flags that a hold keeps in another state than the configured one. */
  readonly held: readonly string[];
  /** Flags with a release plan. */
  readonly planned: readonly string[];
}

/** Lists what Unleash 8.2 evaluates differently or refuses, and what an export cannot tell. */
export function notesOnExport(data: Export, { held, planned }: StateHere): readonly Note[] {
  const names = new Set(data.features.map(({ name }) => name));
  const segments = data.segments.map(({ name, constraints = [] }) => ({ owner: `segment ${name}`, constraints }));
  const strategies = data.featureStrategies.map((strategy) => ({ owner: strategy.featureName, ...strategy }));
  const having = (has: (constraint: Constraint) => boolean) =>
    [...strategies, ...segments].filter(({ constraints }) => constraints.some(has)).map(({ owner }) => owner);
  const lacking = [...strategies, ...segments].flatMap(({ owner, constraints }) =>
    constraints.filter(({ operator }) => !operators82.has(operator)).map(({ operator }) => `${owner} (${operator})`),
  );
  const parents = data.dependencies.flatMap(({ feature, dependencies }) =>
    dependencies.filter((parent) => !names.has(parent.feature)).map((parent) => `${feature} (${parent.feature})`),
  );
  return [
    {
      message: 'Flags are held: the export has the configured state, which users do not get at present',
      items: held.filter((name) => names.has(name)),
    },
    {
      message: 'Flags have a release plan: the export has the strategies of its active milestone, and not the plan',
      items: planned.filter((name) => names.has(name)),
    },
    {
      message:
        'Operators that Unleash 8.2 does not have, or only behind a flag of its own; without them it refuses the file, or the constraint is never met',
      items: lacking,
    },
    {
      message: 'Constraints read blank text as the number 0 here; with Unleash that depends on the SDK',
      items: having(({ looseNumber }) => looseNumber === true),
    },
    {
      message:
        'Constraints compare IN or NOT_IN without case: with Unleash, and in SDKs that evaluate themselves, the case may count',
      items: having(({ operator, caseInsensitive }) => caseInsensitive && /^(NOT_)?IN$/.test(operator)),
    },
    {
      message: `Beyond the limits of Unleash 8.2 (${limits.constraints} constraints, ${limits.segments} segments and ${limits.strategies} strategies, ${limits.values} values of ${limits.valueLength} characters)`,
      items: [...beyondLimits(strategies), ...having(hasTooMuch)],
    },
    { message: 'Flags depend on flags that are not in the export: these must be in Unleash', items: parents },
  ]
    .map(({ message, items }) => ({ message, items: [...new Set(items)] }))
    .filter(({ items }) => items.length > 0);
}

function hasTooMuch({ values, value }: Constraint): boolean {
  return values.length > limits.values || [...values, value ?? ''].some((text) => text.length > limits.valueLength);
}

function beyondLimits(strategies: readonly Strategy[]): string[] {
  const counts = Map.groupBy(strategies, ({ featureName }) => featureName);
  const crowded = [...counts].filter(([, list]) => list.length > limits.strategies).map(([name]) => name);
  const large = strategies.filter(
    ({ constraints, segments }) => constraints.length > limits.constraints || segments.length > limits.segments,
  );
  return [...crowded, ...large.map(({ featureName }) => featureName)];
}
