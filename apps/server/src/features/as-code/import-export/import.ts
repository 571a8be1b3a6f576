import type { ImportedData } from '@yardarm/contract';
import {
  applyPlan,
  describeMissing,
  ignoreReviewOnBreakGlass,
  type MissingPermission,
  missingExtras,
  missingPermissions,
  planState,
  type StateFault,
  type StateLimits,
  type StatePlan,
} from '#features/as-code/state/index.ts';
import { listContextFields } from '#features/flags/context-fields/index.ts';
import { eventsOfPlan } from '#features/flags/definitions/index.ts';
import { orderAffectsVariants } from '#features/flags/strategies/index.ts';
import { contextNamesOf } from '#features/platform/constraints/index.ts';
import { requireEnvironment } from '#features/projects/environments/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import { findLockedStrategies, plansOn } from '#features/releases/release-plans/index.ts';
import type { Identity } from '#kernel/caller.ts';
import { maxDetails, Problem } from '#kernel/errors.ts';
import { yieldToEventLoop } from '#kernel/event-loop.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { flagsWithKeptValues } from './kept-values.ts';
import { type EnvironmentSelection, selectEnvironment } from './select-environment.ts';
import { sdkFields, stickyFields } from './sticky-fields.ts';
import { type OrderedStrategies, orderStrategies } from './strategy-order.ts';
import { type ImportTarget, toDesiredState, unlistedSegments, usedSegments } from './to-desired-state.ts';

/** The report of an import before it is made. */
export interface ImportPlan {
  readonly plan: StatePlan;
  readonly errors: readonly Item[];
  readonly warnings: readonly Item[];
  readonly permissions: readonly Item[];
  readonly missing: readonly MissingPermission[];
}

export interface Item {
  readonly message: string;
  readonly affectedItems: string[];
}

/** The request of an import. */
export interface ImportRequest extends ImportTarget {
  readonly data: ImportedData;
}

/** Plans an import without making it. Rejects with 404 for an unknown project or environment. */
export async function planImport(
  db: Db,
  limits: StateLimits,
  { data: all, ...target }: ImportRequest,
  caller: Identity,
  now: number,
): Promise<ImportPlan> {
  await requireProject(db, target.project);
  await requireEnvironment(db, target.environment);
  const selection = selectEnvironment(all, target.environment);
  const { data } = selection;
  await yieldToEventLoop();
  const desired = toDesiredState(data, target);
  await yieldToEventLoop();
  const plan = await planState(db, desired, {
    limits,
    now,
    caller,
    archived: 'refused',
    keepExisting: true,
    prune: [],
    archive: [],
    pruneActions: [],
  });
  const missing = await missingPermissions(db, caller, plan.changes, limits.review);
  const errors = [
    ...missingEnvironmentErrors(selection, target),
    ...unlistedSegmentErrors(data),
    ...groupFaults(plan.faults),
  ];
  await yieldToEventLoop();
  const warnings = [...skippedWarnings(selection, target), ...(await unknownFieldWarnings(db, data, caller))];
  await yieldToEventLoop();
  return {
    plan,
    errors,
    warnings: [
      ...warnings,
      ...orderWarnings(data),
      ...warningsOf(data, plan),
      ...nonEmpty([
        {
          message:
            'existing flags keep values that SDKs read differently, and their evaluation: edit them when you can',
          affectedItems: await flagsWithKeptValues(db, plan, target.environment),
        },
      ]),
    ],
    missing,
    permissions: missing.map(toItem),
  };
}

/**
 * Imports an export in one transaction. Rejects with 400 and all errors, or with 403 and all missing permissions.
 * Records no event when nothing changes.
 */
export async function importFlags(
  tx: Tx,
  limits: StateLimits,
  request: ImportRequest,
  caller: Identity,
): Promise<StatePlan> {
  const { plan, errors, ...planned } = await planImport(tx.db, limits, request, caller, tx.now);
  const missing = ignoreReviewOnBreakGlass(tx.by, planned.missing);
  if (errors.length > 0) throw refusal('BadDataError', errors);
  if (missing.length > 0) {
    throw refusal('PermissionError', missing.map(toItem), missingExtras(missing));
  }
  if (plan.changes.length === 0) return plan;
  await applyPlan(tx, limits, plan);
  tx.record({ type: 'features-imported', project: request.project, environment: request.environment });
  return plan;
}

/**
 * Returns the changes of a planned import that the release plans of flags do not allow. Making the import rejects with
 * 409 for them.
 */
export async function conflictsWithReleasePlans(db: Db, { flags }: StatePlan): Promise<Item[]> {
  const present = flags.filter(({ before }) => before !== undefined);
  const plans = await plansOn(db, present.map(nameOf));
  const withPlan = new Set(plans.map(({ featureName }) => featureName));
  const events = present
    .filter((flag) => withPlan.has(nameOf(flag)))
    .flatMap((flag) => eventsOfPlan(flag).map((event) => ({ ...event, featureName: nameOf(flag) })));
  const locked = await findLockedStrategies(db, events);
  const byReason = Map.groupBy(locked, ({ reason }) => reason);
  return [...byReason].map(([message, uses]) => ({
    message,
    affectedItems: [...new Set(uses.map(({ plan }) => plan.featureName))],
  }));
}

function nameOf({ after }: StatePlan['flags'][number]): string {
  return after.feature.name;
}

function toItem(missing: MissingPermission): Item {
  return { message: describeMissing(missing), affectedItems: [...missing.names] };
}

function refusal(name: 'BadDataError' | 'PermissionError', items: readonly Item[], extras = {}): Problem {
  const texts = items.map(({ message, affectedItems }) =>
    affectedItems.length === 0 ? message : `${affectedItems.slice(0, 5).join(', ')}: ${message}`,
  );
  const more = texts.length > 1 ? ` And ${texts.length - 1} more: see details.` : '';
  return new Problem(name, `The import was refused: ${texts[0]}.${more}`, {
    details: texts.slice(0, maxDetails).map((message) => ({ message })),
    extras,
  });
}

/** Groups equal faults of several entities, and all missing segments. */
function groupFaults(faults: readonly StateFault[]): Item[] {
  const items = new Map<string, Item>();
  const missing = [...new Set(faults.flatMap(({ missingSegment }) => missingSegment ?? []))].toSorted();
  for (const { path, message, name } of faults.filter(({ missingSegment }) => missingSegment === undefined)) {
    const text = path === '' ? message : `${path} ${message}`;
    const item = items.get(text) ?? { message: text, affectedItems: [] };
    if (name !== '' && item.affectedItems.at(-1) !== name) item.affectedItems.push(name);
    items.set(text, item);
  }
  const message = 'these segments do not exist, and the file does not contain their constraints: create them first';
  return [...(missing.length === 0 ? [] : [{ message, affectedItems: missing }]), ...items.values()];
}

/**
 * Returns a warning for each context field that strategies use and nobody declared. The strategies are imported, as
 * they can be created here: the field has a value wherever an application sends one.
 */
async function unknownFieldWarnings(db: Db, data: ImportedData, caller: Identity): Promise<Item[]> {
  const known = new Set(data.contextFields.map(({ name }) => name));
  for (const { name, project } of await listContextFields(db, { shared: true, project: '*' }))
    if (project === null || !caller.hidden.has(project)) known.add(name);
  const unknown = data.featureStrategies.flatMap((strategy) =>
    fieldsOf(strategy)
      .filter((name) => !known.has(name) && !sdkFields.has(name))
      .map((name) => ({ name, featureName: strategy.featureName })),
  );
  return [...Map.groupBy(unknown, ({ name }) => name)].map(([name, uses]) => ({
    message: `there is no context field ${name}, and the file does not contain it: declare it, unless the name is a typing error`,
    affectedItems: [...new Set(uses.map(({ featureName }) => featureName))],
  }));
}

function fieldsOf({ constraints = [], parameters = {}, variants = [] }: ImportedData['featureStrategies'][number]) {
  return [...contextNamesOf(constraints), ...stickyFields(parameters, variants)];
}

function unlistedSegmentErrors(data: ImportedData): Item[] {
  const ids = [...unlistedSegments(data)].map(String);
  const message = 'the file does not list the segments with these ids, so it is not known which they are';
  return ids.length === 0 ? [] : [{ message, affectedItems: ids }];
}

function missingEnvironmentErrors(
  { isMissing, otherEnvironments }: EnvironmentSelection,
  { environment }: ImportTarget,
): Item[] {
  const message = `the file has several environments, and ${environment} is not among them: import into one of them, or remove all but one from the file`;
  return isMissing ? [{ message, affectedItems: [...otherEnvironments] }] : [];
}

/** Returns warnings about the parts of the file that are not imported. */
function skippedWarnings(
  { data, otherEnvironments, archived }: EnvironmentSelection,
  { project, environment }: ImportTarget,
): Item[] {
  const flags = new Set([...data.features.map(({ name }) => name), ...archived]);
  const flagsOfParts = [...data.featureStrategies, ...data.featureTags].map(({ featureName }) => featureName);
  const projects = new Set(data.features.flatMap(({ project }) => project ?? []));
  return nonEmpty([
    {
      message: `only the environment ${environment} of the file is imported; import the other environments separately`,
      affectedItems: [...otherEnvironments],
    },
    { message: 'flags that are archived in the file are left out', affectedItems: [...archived] },
    {
      message: 'strategies and tags of flags that the file does not contain are left out',
      affectedItems: [...new Set(flagsOfParts)].filter((name) => !flags.has(name)),
    },
    {
      message: `flags of several projects are imported into ${project}`,
      affectedItems: projects.size > 1 ? [...projects] : [],
    },
  ]);
}

/** The warnings about strategies without a declared order. */
const orderGuesses: Readonly<Record<Exclude<OrderedStrategies['order'], 'declared'>, string>> = {
  'by-id': 'the file does not declare the order of strategies: they are sorted by id, the order of their creation',
  'as-listed': 'the file does not declare the order of strategies: they keep the order of the file',
};

/** Returns warnings about guessed orders of strategies, and names the flags whose evaluation the order can change. */
function orderWarnings(data: ImportedData): Item[] {
  const guessed = [...Map.groupBy(data.featureStrategies, ({ featureName }) => featureName)]
    .map(([name, strategies]) => ({ name, ...orderStrategies(strategies) }))
    .filter(({ order }) => order !== 'declared');
  return [...Map.groupBy(guessed, ({ order }) => order)].flatMap(([order, flags]) => {
    if (order === 'declared') return [];
    const affectedItems = flags.filter(({ strategies }) => orderAffectsVariants(strategies)).map(({ name }) => name);
    const check = '. Check the order where it decides which variant a user gets';
    return [{ message: orderGuesses[order] + (affectedItems.length > 0 ? check : ''), affectedItems }];
  });
}

function nonEmpty(items: readonly Item[]): Item[] {
  return items.filter(({ affectedItems }) => affectedItems.length > 0);
}

function warningsOf(data: ImportedData, { flags, operations }: StatePlan): Item[] {
  const created = new Set(operations.map(({ change }) => `${change.kind} ${change.name}`));
  const present = flags.flatMap(({ before }) => (before === undefined ? [] : [before.feature.name]));
  const on = new Map(
    data.featureEnvironments.map(({ featureName, name, enabled }) => [featureName ?? name, enabled === true]),
  );
  const active = new Set(
    data.featureStrategies.filter(({ disabled }) => disabled !== true).map(({ featureName }) => featureName),
  );
  const forEveryone = data.features
    .map(({ name }) => name)
    .filter((name) => on.get(name) === true && !active.has(name));
  const used = usedSegments(data);
  const kept = [
    ...data.segments.filter(
      ({ id, name, constraints }) => used.has(id) && constraints !== undefined && !created.has(`segment ${name}`),
    ),
    ...data.contextFields.filter(({ name }) => !created.has(`context-field ${name}`)),
    ...data.tagTypes.filter(({ name }) => !created.has(`tag-type ${name}`)),
    ...data.customStrategies.filter(({ name }) => !created.has(`strategy ${name}`)),
  ].map(({ name }) => name);
  return nonEmpty([
    { message: 'existing flags are changed to match the export', affectedItems: present },
    {
      message: 'flags that are on without an enabled strategy get a strategy for all users',
      affectedItems: forEveryone,
    },
    {
      message: 'existing segments, context fields, tag types and custom strategies stay unchanged',
      affectedItems: kept,
    },
  ]);
}
