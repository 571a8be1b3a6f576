import { mapInTurns } from '../../kernel/turns.ts';
import type { Db } from '../../storage/tx.ts';
import { checkLegalValuesOf } from '../context-fields/index.ts';
import {
  checkDependencies,
  countInUse,
  eventsOf,
  type Fault,
  type FlagPlan,
  type FlagRules,
  listFlagNames,
  loadWholeFlags,
  type ProjectOfFlags,
  planFlag,
  type WantedFlag,
  type WholeFlag,
} from '../flags/index.ts';
import { compareActionSets, type PlannedThings } from './action-sets.ts';
import { fieldChanges, itemOf, type StateChange } from './changes.ts';
import { type CreatedToken, compareInstallation, nothingBesides, type Skipped } from './installation.ts';
import {
  compareContextFields,
  compareSegments,
  compareStrategies,
  compareTagTypes,
  type Operation,
} from './operations.ts';
import type { PlanOptions, StateFault } from './options.ts';
import { compareProjects } from './project-operations.ts';
import type { WantedState } from './wanted-state.ts';
import { loadWorld, type World } from './world.ts';

/** What is to be done for state to be as wanted. Nothing may be done while there are faults. */
export interface StatePlan {
  /** In the order in which they are made: all that flags need comes before them. */
  readonly operations: readonly Operation[];
  /** Sets of actions, users and API tokens: made when all else has been, for they name it. */
  readonly lastOperations: readonly Operation[];
  readonly flags: readonly FlagPlan[];
  /** Names of the flags that are archived, by project. */
  readonly archived: ReadonlyMap<string, readonly string[]>;
  readonly changes: readonly StateChange[];
  readonly faults: readonly StateFault[];
  /** Names of segments, by their ids, those included that are yet to be created. */
  readonly segmentNames: ReadonlyMap<number, string>;
  /** Parts of the installation that are left out. */
  readonly skipped: readonly Skipped[];
  /** Filled by making the plan real. */
  readonly createdTokens: readonly CreatedToken[];
}

/**
 * Compares what is wanted with what there is. What belongs to projects that are hidden from the caller is as if
 * it were not there; only its names are taken. Reads a constant number of statements for each thousand flags, and writes
 * nothing.
 */
export async function planState(db: Db, wanted: WantedState, options: PlanOptions): Promise<StatePlan> {
  const present = await loadWorld(db, options.caller.hidden);
  const faults: StateFault[] = [];
  const besides = wanted.installation ?? nothingBesides;
  const installation = await compareInstallation(db, present, besides, options.limits, faults);
  const world = { ...present, environments: withMissing(present.environments, besides.environments) };
  const projects = compareProjects(world, wanted.projects, options, faults);
  const tagTypes = compareTagTypes(world, wanted.tagTypes, options);
  const strategies = compareStrategies(world, wanted.strategies, options, faults);
  const fields = compareContextFields(world, wanted.contextFields, options, projects.after, faults);
  const segments = compareSegments(world, wanted.segments, fields.after, options, projects.after, faults);
  const rules: FlagRules = {
    ...options,
    userId: options.caller.actor.userId,
    hidden: options.caller.hidden,
    limits: options.limits.flags,
    projects: projects.after,
    definitions: strategies.after,
    makeDefault: world.makeDefault,
    segments: segments.after,
    tagTypes: new Set(tagTypes.after.keys()),
    checkLegal: (project, constraints, before) => checkLegalValuesOf(fields.after, project, constraints, before),
  };
  const flags = await planFlags(db, wanted.flags, rules, faults);
  const archived = await flagsToArchive(db, wanted.flags, options.prune);
  await checkRoom(db, flags, archived, options.limits.flags.features, projects.after, faults);
  await checkTogether(db, flags, archived, faults);
  const operations = [
    ...installation.environments,
    ...[projects, tagTypes, strategies, fields, segments].flatMap((one) => one.operations),
    ...installation.tags,
  ];
  const planned: PlannedThings = { projects: projects.after, flags, archived };
  const actionSets = await compareActionSets(db, wanted.actionSets, options, planned, faults);
  const lastOperations = [...actionSets, ...installation.callers];
  const segmentNames = new Map([...segments.after].map(([name, { id }]) => [id, name]));
  const changes = [
    ...operations.map(({ change }) => change),
    ...(await mapInTurns(flags, (plan) => changesOfFlag(plan, segmentNames))).flat(),
    ...[...archived].flatMap(([project, names]) => names.map((name) => archiving(project, name))),
    ...lastOperations.map(({ change }) => change),
  ];
  const { skipped, createdTokens } = installation;
  return { operations, lastOperations, flags, archived, changes, faults, segmentNames, skipped, createdTokens };
}

function withMissing(present: World['environments'], wanted: World['environments']): World['environments'] {
  const known = new Set(present.map(({ name }) => name));
  return [...present, ...wanted.filter(({ name }) => !known.has(name))];
}

async function planFlags(
  db: Db,
  wanted: readonly WantedFlag[],
  rules: FlagRules,
  faults: StateFault[],
): Promise<FlagPlan[]> {
  const present = await loadWholeFlags(
    db,
    wanted.map(({ name }) => name),
  );
  const seen = new Set<string>();
  const plans = await mapInTurns(wanted, (flag) => {
    const inner: Fault[] = [];
    if (seen.size === seen.add(flag.name).size) inner.push({ path: '', message: 'is named twice' });
    const before = present.get(flag.name);
    const plan = planFlag(before && withEnvironments(before, rules.projects.get(flag.project)), flag, rules, inner);
    const { name, project } = flag;
    faults.push(...inner.map((fault) => ({ kind: 'flag' as const, name, project, ...fault })));
    return plan;
  });
  return plans.filter((plan) => plan !== undefined);
}

/** An environment that its project is about to get is one that a flag is off in by then. */
function withEnvironments(flag: WholeFlag, of: ProjectOfFlags | undefined): WholeFlag {
  const missing = of?.environments.filter((name) => !flag.environments.has(name)) ?? [];
  if (missing.length === 0) return flag;
  const off = { enabled: false, strategies: [], variants: [] };
  return { ...flag, environments: new Map([...flag.environments, ...missing.map((name) => [name, off] as const)]) };
}

async function flagsToArchive(
  db: Db,
  wanted: readonly WantedFlag[],
  prune: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Set(wanted.map(({ name }) => name));
  const archived = new Map<string, readonly string[]>();
  for (const project of prune) {
    const left = (await listFlagNames(db, { projects: [project] })).filter((name) => !names.has(name));
    if (left.length > 0) archived.set(project, left);
  }
  return archived;
}

/** Looks at how many flags there would be. A statement for all, and one for each project with a limit that gets some. */
async function checkRoom(
  db: Db,
  flags: readonly FlagPlan[],
  archived: ReadonlyMap<string, readonly string[]>,
  limit: number,
  projects: ReadonlyMap<string, ProjectOfFlags>,
  faults: StateFault[],
): Promise<void> {
  const added = flags.filter(({ before }) => before === undefined || before.feature.archivedAt !== null);
  if (added.length === 0) return;
  const gone = [...archived.values()].reduce((sum, names) => sum + names.length, 0);
  if ((await countInUse(db)) + added.length - gone > limit) {
    faults.push({ kind: 'flag', name: '', path: '', message: `the limit of ${limit} flags would be passed` });
  }
  for (const [project, plans] of Map.groupBy(added, ({ after }) => after.feature.project)) {
    const most = projects.get(project)?.project.featureLimit ?? null;
    if (most === null) continue;
    const more = plans.length - (archived.get(project)?.length ?? 0);
    if ((await countInUse(db, project)) + more <= most) continue;
    const message = `the limit of ${most} flags of the project would be passed`;
    faults.push({ kind: 'project', name: project, path: '', message });
  }
}

/** What no flag can tell alone: what they depend on. */
async function checkTogether(
  db: Db,
  flags: readonly FlagPlan[],
  archived: ReadonlyMap<string, readonly string[]>,
  faults: StateFault[],
): Promise<void> {
  const gone = new Set([...archived.values()].flat());
  const impossible = await checkDependencies(db, flags, gone);
  for (const { after } of flags) {
    const { name, project } = after.feature;
    const fault = impossible.get(name);
    if (fault !== undefined) faults.push({ kind: 'flag', name, project, ...fault });
    const parent = after.dependency?.parent;
    if (fault === undefined && parent !== undefined && gone.has(parent)) {
      faults.push({ kind: 'flag', name, project, path: 'dependency', message: `the flag ${parent} would be archived` });
    }
  }
}

function changesOfFlag(plan: FlagPlan, segmentNames: ReadonlyMap<number, string>): StateChange[] {
  const { name, project } = plan.after.feature;
  return eventsOf(plan).map(({ type, environment = null, data, preData }) => ({
    type,
    kind: 'flag',
    name,
    project,
    environment,
    item: itemOf(type, data ?? preData),
    fields: fieldChanges(spoken(preData, segmentNames), spoken(data, segmentNames)).filter(
      ({ field }) => type !== 'feature-created' || !['name', 'project', 'tags'].includes(field),
    ),
  }));
}

/** The data of an event with segments by their names, for ids say nothing to people. */
function spoken(data: unknown, segmentNames: ReadonlyMap<number, string>): unknown {
  if (typeof data !== 'object' || data === null || !('segments' in data)) return data;
  const segments = (data.segments as readonly number[]).map((id) => segmentNames.get(id) ?? String(id));
  return { ...data, segments };
}

function archiving(project: string, name: string): StateChange {
  return { type: 'feature-archived', kind: 'flag', name, project, environment: null, item: null, fields: [] };
}
