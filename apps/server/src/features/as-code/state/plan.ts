import { checkLegalValuesOf } from '#features/flags/context-fields/index.ts';
import {
  checkDependencies,
  type DesiredFlag,
  eventsOfPlan,
  type Fault,
  type FlagDefinition,
  type FlagPlan,
  type FlagRules,
  listFlagNames,
  loadFlagDefinitions,
  type ProjectWithEnvironments,
  planFlag,
} from '#features/flags/definitions/index.ts';
import { countInUse } from '#features/flags/feature/index.ts';
import { mapYielding } from '#kernel/event-loop.ts';
import { limitFault } from '#kernel/limits.ts';
import type { Db } from '#storage/tx.ts';
import { compareActionSets, type PlannedEntities } from './action-sets.ts';
import { fieldChanges, itemName, type StateChange, withSegmentNames } from './changes.ts';
import { type CurrentState, loadCurrentState } from './current-state.ts';
import type { DesiredState } from './desired-state.ts';
import { besidePlans, type FlagPlans, loadFlagPlans, strategiesBesidePlans, withoutPlans } from './flag-plans.ts';
import { type CreatedToken, compareInstallation, emptyInstallation, type Skipped } from './installation.ts';
import type { PlanOperation } from './milestones.ts';
import {
  compareContextFields,
  compareSegments,
  compareStrategies,
  compareTagTypes,
  type Operation,
} from './operations.ts';
import type { PlanOptions, StateFault } from './options.ts';
import { compareProjects } from './project-operations.ts';
import { compareReleasePlans } from './release-plans.ts';
import { compareReleaseTemplates, type TemplateOperation } from './release-templates.ts';
import { compareSafeguards } from './safeguards.ts';
import { warnAboutShortSteps } from './short-steps.ts';

/** The plan that leads to the desired state. It must not be applied when it has faults. */
export interface StatePlan {
  /** In execution order: entities that flags use come before the flags. */
  readonly operations: readonly Operation[];
  /** Action sets, users and API tokens, applied last because they name other entities. */
  readonly lastOperations: readonly Operation[];
  readonly flags: readonly FlagPlan[];
  /** Changes of release plans and safeguards, applied after the flags and before the archiving. */
  readonly releasePlans: readonly PlanOperation[];
  /** Changes of release templates, applied before the flags. */
  readonly releaseTemplates: readonly TemplateOperation[];
  /** The names of the flags to archive, by project. */
  readonly archived: ReadonlyMap<string, readonly string[]>;
  readonly changes: readonly StateChange[];
  readonly faults: readonly StateFault[];
  /** The names of segments by id, including new segments. */
  readonly segmentNames: ReadonlyMap<number, string>;
  /** Parts of the installation that are skipped. */
  readonly skipped: readonly Skipped[];
  /** Filled when the plan is applied. */
  readonly createdTokens: readonly CreatedToken[];
}

/**
 * Compares the desired state with the current state, read-only, in a constant number of statements for each thousand
 * flags. Entities of projects that are hidden from the caller are treated as missing; only their names are reserved.
 */
export async function planState(db: Db, desired: DesiredState, options: PlanOptions): Promise<StatePlan> {
  const present = await loadCurrentState(db, options.caller.hidden);
  const faults: StateFault[] = [];
  const additions = desired.installation ?? emptyInstallation;
  const installation = await compareInstallation(db, present, additions, options.limits, faults);
  const current = { ...present, environments: addMissingEnvironments(present.environments, additions.environments) };
  const projects = compareProjects(current, desired.projects, options, faults);
  const tagTypes = compareTagTypes(current, desired.tagTypes, options);
  const strategies = compareStrategies(current, desired.strategies, options, faults);
  const fields = compareContextFields(current, desired.contextFields, options, projects.after, faults);
  const segments = compareSegments(current, desired.segments, fields.after, options, projects.after, faults);
  const rules: FlagRules = {
    ...options,
    userId: options.caller.actor.userId,
    hidden: options.caller.hidden,
    limits: options.limits.flags,
    projects: projects.after,
    definitions: strategies.after,
    makeDefault: current.makeDefault,
    segments: segments.after,
    tagTypes: new Set(tagTypes.after.keys()),
    checkLegal: (project, constraints, before) => checkLegalValuesOf(fields.after, project, constraints, before),
  };
  const plans = await loadFlagPlans(db, desired);
  const flags = await planFlags(db, desired.flags, plans, rules, faults);
  const archived = await flagsToArchive(db, desired.flags, options);
  await checkLimits(db, flags, archived, options.limits.flags.features, projects.after, faults);
  await checkDependenciesAfterwards(db, flags, archived, faults);
  const operations = [
    ...installation.environments,
    ...[projects, tagTypes, strategies, fields, segments].flatMap(({ operations }) => operations),
    ...installation.tags,
  ];
  const planned: PlannedEntities = { projects: projects.after, flags, archived };
  const actionSets = await compareActionSets(db, desired.actionSets, options, planned, faults);
  const lastOperations = [...actionSets, ...installation.callers];
  const segmentNames = new Map([...segments.after].map(([name, { id }]) => [id, name]));
  const { safeguards = [] } = desired;
  const planOperations = [
    ...(await compareReleasePlans(db, plans, flags, { rules, segmentNames, faults, safeguards })),
    ...(await compareSafeguards(db, safeguards, flags, plans.stored, faults)),
  ];
  const releasePlans = await warnAboutShortSteps(db, planOperations, plans, safeguards);
  const releaseTemplates = await compareReleaseTemplates(db, desired.releaseTemplates ?? [], {
    rules,
    limits: options.limits.releaseTemplates,
    segmentNames,
    faults,
    caller: options.caller,
    projects: projects.after,
  });
  const parts = { operations, lastOperations, flags, releasePlans, releaseTemplates, archived };
  const changes = await changesOf(parts, segmentNames);
  const { skipped, createdTokens } = installation;
  return { ...parts, changes, faults, segmentNames, skipped, createdTokens };
}

type PlanParts = Pick<
  StatePlan,
  'operations' | 'lastOperations' | 'flags' | 'releasePlans' | 'releaseTemplates' | 'archived'
>;

/** Returns all changes of a plan, in execution order. */
export async function changesOf(
  { operations, lastOperations, flags, releasePlans, releaseTemplates, archived }: PlanParts,
  segmentNames: StatePlan['segmentNames'],
): Promise<StateChange[]> {
  return [
    ...operations.map(({ change }) => change),
    ...releaseTemplates.map(({ change }) => change),
    ...(await mapYielding(flags, (plan) => changesOfFlag(plan, segmentNames))).flat(),
    ...releasePlans.flatMap(({ changes }) => changes),
    ...[...archived].flatMap(([project, names]) => names.map((name) => archiveChange(project, name))),
    ...lastOperations.map(({ change }) => change),
  ];
}

function addMissingEnvironments(
  present: CurrentState['environments'],
  desired: CurrentState['environments'],
): CurrentState['environments'] {
  const known = new Set(present.map(({ name }) => name));
  return [...present, ...desired.filter(({ name }) => !known.has(name))];
}

async function planFlags(
  db: Db,
  desired: readonly DesiredFlag[],
  releasePlans: FlagPlans,
  rules: FlagRules,
  faults: StateFault[],
): Promise<FlagPlan[]> {
  const present = await loadFlagDefinitions(
    db,
    desired.map(({ name }) => name),
  );
  const seen = new Set<string>();
  const withPlans = besidePlans(releasePlans);
  const plans = await mapYielding(desired, (flag) => {
    const inner: Fault[] = [];
    if (seen.size === seen.add(flag.name).size) inner.push({ path: '', message: 'is named twice' });
    const stored = present.get(flag.name);
    const before =
      stored && withEnvironments(withoutPlans(stored, releasePlans.stored), rules.projects.get(flag.project));
    const plan = planFlag(before, withPlans(flag), rules, inner);
    if (plan !== undefined) inner.push(...strategiesBesidePlans(plan, releasePlans));
    const { name, project } = flag;
    faults.push(...inner.map((fault) => ({ kind: 'flag' as const, name, project, ...fault })));
    return plan;
  });
  return plans.filter((plan) => plan !== undefined);
}

/** Adds environments that the project will get, in which the flag is off. */
function withEnvironments(flag: FlagDefinition, project: ProjectWithEnvironments | undefined): FlagDefinition {
  const missing = project?.environments.filter((name) => !flag.environments.has(name)) ?? [];
  if (missing.length === 0) return flag;
  const off = { enabled: false, strategies: [], variants: [] };
  return { ...flag, environments: new Map([...flag.environments, ...missing.map((name) => [name, off] as const)]) };
}

async function flagsToArchive(
  db: Db,
  desired: readonly DesiredFlag[],
  { prune, archive, caller }: Pick<PlanOptions, 'prune' | 'archive' | 'caller'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Set(desired.map(({ name }) => name));
  const archived = new Map<string, readonly string[]>();
  for (const project of prune) {
    const unnamed = (await listFlagNames(db, { projects: [project] })).filter((name) => !names.has(name));
    if (unnamed.length > 0) archived.set(project, unnamed);
  }
  const further = await loadFlagDefinitions(
    db,
    archive.filter((name) => !names.has(name)),
  );
  for (const { feature } of further.values()) {
    const { name, project, archivedAt } = feature;
    const present = archived.get(project) ?? [];
    if (archivedAt === null && !caller.hidden.has(project) && !present.includes(name))
      archived.set(project, [...present, name]);
  }
  return archived;
}

/** Checks the limits of flags: one statement for all, and one for each project with a limit that gets new flags. */
async function checkLimits(
  db: Db,
  flags: readonly FlagPlan[],
  archived: ReadonlyMap<string, readonly string[]>,
  limit: number,
  projects: ReadonlyMap<string, ProjectWithEnvironments>,
  faults: StateFault[],
): Promise<void> {
  const added = flags.filter(({ before }) => before === undefined || before.feature.archivedAt !== null);
  if (added.length === 0) return;
  const archivedFlags = [...archived.values()].reduce((sum, names) => sum + names.length, 0);
  if ((await countInUse(db)) + added.length - archivedFlags > limit) {
    faults.push({ kind: 'flag', name: '', path: '', message: limitFault(limit, 'flags') });
  }
  for (const [project, plans] of Map.groupBy(added, ({ after }) => after.feature.project)) {
    const limitOfProject = projects.get(project)?.project.featureLimit ?? null;
    if (limitOfProject === null) continue;
    const more = plans.length - (archived.get(project)?.length ?? 0);
    if ((await countInUse(db, project)) + more <= limitOfProject) continue;
    const message = limitFault(limitOfProject, 'flags of the project');
    faults.push({ kind: 'project', name: project, path: '', message });
  }
}

/** Checks the dependencies between the flags after the plan. */
async function checkDependenciesAfterwards(
  db: Db,
  flags: readonly FlagPlan[],
  archived: ReadonlyMap<string, readonly string[]>,
  faults: StateFault[],
): Promise<void> {
  const archivedFlags = new Set([...archived.values()].flat());
  const impossible = await checkDependencies(db, flags, archivedFlags);
  for (const { after } of flags) {
    const { name, project } = after.feature;
    const fault = impossible.get(name);
    if (fault !== undefined) faults.push({ kind: 'flag', name, project, ...fault });
    const parent = after.dependency?.parent;
    if (fault === undefined && parent !== undefined && archivedFlags.has(parent)) {
      faults.push({ kind: 'flag', name, project, path: 'dependency', message: `the flag ${parent} would be archived` });
    }
  }
}

function changesOfFlag(plan: FlagPlan, segmentNames: ReadonlyMap<number, string>): StateChange[] {
  const { name, project } = plan.after.feature;
  return eventsOfPlan(plan).map(({ type, environment = null, data, preData }) => ({
    type,
    kind: 'flag',
    name,
    project,
    environment,
    item: itemName(type, data ?? preData),
    fields: fieldChanges(withSegmentNames(preData, segmentNames), withSegmentNames(data, segmentNames)).filter(
      ({ field }) => type !== 'feature-created' || !['name', 'project', 'tags'].includes(field),
    ),
  }));
}

function archiveChange(project: string, name: string): StateChange {
  return { type: 'feature-archived', kind: 'flag', name, project, environment: null, item: null, fields: [] };
}
