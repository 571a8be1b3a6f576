import { listDefaultStrategies } from '#features/flags/default-strategies/index.ts';
import { listFlagNames, loadFlagDefinitions } from '#features/flags/definitions/index.ts';
import { holdsOn } from '#features/flags/holds/index.ts';
import { listSegments } from '#features/flags/segments/index.ts';
import { constraintFaults, payloadFaults, strategyFaults } from '#features/flags/strategies/index.ts';
import { listStrategyTypes, type StrategyType } from '#features/flags/strategy-types/index.ts';
import { plansOn } from '#features/releases/release-plans/index.ts';
import { listAllTemplates, type Milestone } from '#features/releases/release-templates/index.ts';
import { chunksOf } from '#kernel/lists.ts';
import type { Db } from '#storage/tx.ts';

type Values = Parameters<typeof strategyFaults>[0] & { readonly name: string };
type Types = ReadonlyMap<string, StrategyType>;

/** The number of flags that are read at a time. */
const flagsAtATime = 500;

/**
 * Lists the stored values that SDKs read differently and that new objects could not have (ADR 98), one a line, with the
 * object they belong to.
 */
export async function listUnevenValues(db: Db): Promise<string[]> {
  const types: Types = new Map((await listStrategyTypes(db)).map((type) => [type.name, type]));
  // An archived flag can be revived, and then serves its strategies again.
  const names = await listFlagNames(db, { withArchived: true });
  const lines: string[] = [];
  for (const page of chunksOf(names, flagsAtATime)) lines.push(...(await inFlags(db, page, types)));
  for (const strategy of await listDefaultStrategies(db, {})) {
    const owner = `the default strategy of the project ${strategy.project} in ${strategy.environment}`;
    lines.push(...named(owner, strategyFaults(strategy, types.get(strategy.name))));
  }
  for (const { name, constraints } of await listSegments(db))
    lines.push(...named(`the segment ${name}`, constraintFaults(constraints)));
  for (const { name, milestones } of await listAllTemplates(db))
    lines.push(...inMilestones(`the release template ${name}`, milestones, types));
  return lines;
}

async function inFlags(db: Db, names: readonly string[], types: Types): Promise<string[]> {
  const flags = await loadFlagDefinitions(db, names);
  const lines = [...flags].flatMap(([name, { feature, environments }]) =>
    [...environments].flatMap(([environment, { strategies, variants }]) => {
      const kind = feature.archivedAt === null ? 'flag' : 'archived flag';
      const owner = `the ${kind} ${name} in ${environment}`;
      const ofStrategies = strategies.flatMap((strategy) => strategyFaults(strategy, types.get(strategy.name)));
      return named(owner, [...ofStrategies, ...payloadFaults(variants)]);
    }),
  );
  const plans = await plansOn(db, names);
  const holds = await holdsOn(db, names);
  return [
    ...lines,
    ...plans.flatMap(({ featureName, environment, milestones }) =>
      inMilestones(`the release plan of the flag ${featureName} in ${environment}`, milestones, types),
    ),
    ...holds.flatMap(({ featureName, environment, milestone }) =>
      milestone === null
        ? []
        : inMilestones(`the hold on the flag ${featureName} in ${environment}`, [milestone], types),
    ),
  ];
}

function inMilestones(
  owner: string,
  milestones: readonly (Pick<Milestone, 'name'> & { readonly strategies: readonly Values[] })[],
  types: Types,
): string[] {
  return milestones.flatMap(({ name, strategies }) =>
    named(
      `${owner}, milestone ${name}`,
      strategies.flatMap((strategy) => strategyFaults(strategy, types.get(strategy.name))),
    ),
  );
}

function named(owner: string, faults: readonly string[]): string[] {
  return faults.map((fault) => `${owner}: ${fault}`);
}
