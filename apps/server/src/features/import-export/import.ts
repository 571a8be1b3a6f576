import type { ImportedData } from '@yardarm/contract';
import type { Identity } from '../../kernel/caller.ts';
import { maxDetails, Problem } from '../../kernel/errors.ts';
import { nextTurn } from '../../kernel/turns.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { contextNamesOf } from '../constraints/index.ts';
import { listContextFields } from '../context-fields/index.ts';
import { requireEnvironment } from '../environments/index.ts';
import { orderDecides } from '../flags/index.ts';
import { requireProject } from '../projects/index.ts';
import {
  applyPlan,
  describeMissing,
  type MissingPermission,
  missingExtras,
  missingPermissions,
  planState,
  type StateFault,
  type StateLimits,
  type StatePlan,
  unlessGlassIsBroken,
} from '../state/index.ts';
import { type Chosen, chooseFrom } from './choose.ts';
import { inOrder, type Ordered } from './strategy-order.ts';
import { type ImportTarget, usedSegments, wantedOf } from './wanted.ts';

/** What a caller may be told before an import. */
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

/** Who imports what, and where. */
export interface ImportRequest extends ImportTarget {
  readonly data: ImportedData;
}

/** What an import would do, without doing it. 404 for a project or environment that there is not. */
export async function planImport(
  db: Db,
  limits: StateLimits,
  { data: all, ...target }: ImportRequest,
  caller: Identity,
  now: number,
): Promise<ImportPlan> {
  await requireProject(db, target.project);
  await requireEnvironment(db, target.environment);
  const chosen = chooseFrom(all, target.environment);
  const { data } = chosen;
  await nextTurn();
  const wanted = wantedOf(data, target);
  await nextTurn();
  const plan = await planState(db, wanted, {
    limits,
    now,
    caller,
    archived: 'refused',
    kept: true,
    prune: [],
    pruneActions: [],
  });
  const missing = await missingPermissions(db, caller, plan.changes, limits.review);
  const errors = [...elsewhere(chosen, target), ...gather(plan.faults), ...(await unknownFields(db, data, caller))];
  await nextTurn();
  const warnings = leftOut(chosen, target);
  await nextTurn();
  return {
    plan,
    errors,
    warnings: [...warnings, ...guessedOrders(data), ...warningsOf(data, plan)],
    missing,
    permissions: missing.map(itemOf),
  };
}

/**
 * Imports all of an export, or nothing: a 400 with every error, and a 403 with every permission that the caller lacks. When
 * nothing changes, nothing is recorded.
 */
export async function importFlags(
  tx: Tx,
  limits: StateLimits,
  request: ImportRequest,
  caller: Identity,
): Promise<StatePlan> {
  const { plan, errors, ...planned } = await planImport(tx.db, limits, request, caller, tx.now);
  const missing = unlessGlassIsBroken(tx.by, planned.missing);
  if (errors.length > 0) throw refusal('BadDataError', errors);
  if (missing.length > 0) {
    throw refusal('PermissionError', missing.map(itemOf), missingExtras(missing));
  }
  if (plan.changes.length === 0) return plan;
  await applyPlan(tx, plan);
  tx.record({ type: 'features-imported', project: request.project, environment: request.environment });
  return plan;
}

function itemOf(missing: MissingPermission): Item {
  return { message: describeMissing(missing), affectedItems: [...missing.names] };
}

function refusal(name: 'BadDataError' | 'PermissionError', items: readonly Item[], extras = {}): Problem {
  const texts = items.map(({ message, affectedItems }) =>
    affectedItems.length === 0 ? message : `${affectedItems.slice(0, 5).join(', ')}: ${message}`,
  );
  const more = texts.length > 1 ? ` And ${texts.length - 1} more: see details.` : '';
  return new Problem(name, `The import is not possible: ${texts[0]}.${more}`, {
    details: texts.slice(0, maxDetails).map((message) => ({ message })),
    extras,
  });
}

/** Faults that are the same of several things are one, and so are all segments that are missing. */
function gather(faults: readonly StateFault[]): Item[] {
  const items = new Map<string, Item>();
  const missing = [...new Set(faults.flatMap(({ missingSegment }) => missingSegment ?? []))].toSorted();
  for (const { path, message, name } of faults.filter(({ missingSegment }) => missingSegment === undefined)) {
    const text = path === '' ? message : `${path} ${message}`;
    const item = items.get(text) ?? { message: text, affectedItems: [] };
    if (name !== '' && item.affectedItems.at(-1) !== name) item.affectedItems.push(name);
    items.set(text, item);
  }
  const message = 'segments are missing, and the file does not hold their constraints: create them first';
  return [...(missing.length === 0 ? [] : [{ message, affectedItems: missing }]), ...items.values()];
}

/** What every SDK fills in by itself (docs/spec#evaluation-context), whether or not there is a field of that name. */
const filledIn: ReadonlySet<string> = new Set([
  'userId',
  'sessionId',
  'remoteAddress',
  'environment',
  'appName',
  'currentTime',
]);

async function unknownFields(db: Db, data: ImportedData, caller: Identity): Promise<Item[]> {
  const known = new Set(data.contextFields.map(({ name }) => name));
  for (const { name, project } of await listContextFields(db, { shared: true, project: '*' }))
    if (project === null || !caller.hidden.has(project)) known.add(name);
  const unknown = data.featureStrategies.flatMap(({ constraints = [], featureName }) =>
    contextNamesOf(constraints)
      .filter((name) => !known.has(name) && !filledIn.has(name))
      .map((name) => ({ name, featureName })),
  );
  return [...Map.groupBy(unknown, ({ name }) => name)].map(([name, of]) => ({
    message: `there is no context field ${name}, and the export does not hold it`,
    affectedItems: [...new Set(of.map(({ featureName }) => featureName))],
  }));
}

function elsewhere({ elsewhere, others }: Chosen, { environment }: ImportTarget): Item[] {
  const message = `the file tells of several environments, and not of ${environment}: import it into one of these, or leave only one of them in it`;
  return elsewhere ? [{ message, affectedItems: [...others] }] : [];
}

/** What the file holds and is not imported: nobody should think that it was. */
function leftOut({ data, others, archived }: Chosen, { project, environment }: ImportTarget): Item[] {
  const flags = new Set([...data.features.map(({ name }) => name), ...archived]);
  const lost = [...data.featureStrategies, ...data.featureTags].map((one) => one.featureName);
  const projects = new Set(data.features.flatMap((one) => one.project ?? []));
  return nonEmpty([
    {
      message: `only what the file says of ${environment} is imported; what it says of other environments needs an import each`,
      affectedItems: [...others],
    },
    { message: 'flags are archived in the file, and left out', affectedItems: [...archived] },
    {
      message: 'strategies and tags are of flags that are not among the features, and left out',
      affectedItems: [...new Set(lost)].filter((name) => !flags.has(name)),
    },
    {
      message: `flags of several projects are imported into ${project}`,
      affectedItems: projects.size > 1 ? [...projects] : [],
    },
  ]);
}

/** What a reader is told where the file does not say in which order strategies stand. */
const orderGuesses: Readonly<Record<Exclude<Ordered['order'], 'told'>, string>> = {
  'by-id':
    'the file does not say the order of strategies: they are sorted by their ids, which is the order of their creation',
  'as-listed': 'the file does not say the order of strategies, nor do their ids: they stand as in the file',
};

/** Names the flags whose order of strategies is a guess that can change an answer; that others are sorted is said too. */
function guessedOrders(data: ImportedData): Item[] {
  const guessed = [...Map.groupBy(data.featureStrategies, ({ featureName }) => featureName)]
    .map(([name, strategies]) => ({ name, ...inOrder(strategies) }))
    .filter(({ order }) => order !== 'told');
  return [...Map.groupBy(guessed, ({ order }) => order)].flatMap(([order, of]) => {
    if (order === 'told') return [];
    const affectedItems = of.filter(({ strategies }) => orderDecides(strategies)).map(({ name }) => name);
    const check = '. Check it where it decides which variant a caller gets';
    return [{ message: orderGuesses[order] + (affectedItems.length > 0 ? check : ''), affectedItems }];
  });
}

function nonEmpty(items: readonly Item[]): Item[] {
  return items.filter(({ affectedItems }) => affectedItems.length > 0);
}

function warningsOf(data: ImportedData, { flags, operations }: StatePlan): Item[] {
  const created = new Set(operations.map(({ change }) => `${change.kind} ${change.name}`));
  const present = flags.flatMap(({ before }) => (before === undefined ? [] : [before.feature.name]));
  const on = new Map(data.featureEnvironments.map((one) => [one.featureName ?? one.name, one.enabled === true]));
  const active = new Set(
    data.featureStrategies.filter(({ disabled }) => disabled !== true).map((one) => one.featureName),
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
    { message: 'flags that there are become as the export says', affectedItems: present },
    { message: 'flags are on without an active strategy, so they get one for everyone', affectedItems: forEveryone },
    {
      message: 'segments, context fields, types of tags and custom strategies that there are stay as they are',
      affectedItems: kept,
    },
  ]);
}
