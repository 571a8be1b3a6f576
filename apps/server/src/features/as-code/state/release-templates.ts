import { isDeepStrictEqual } from 'node:util';
import { collectFaults, type DesiredStrategy, type Fault, type FlagRules } from '#features/flags/definitions/index.ts';
import { listRoles } from '#features/people/access/index.ts';
import type { Reader } from '#features/people/token-scopes/index.ts';
import {
  archiveTemplate,
  checkTemplateStrategy,
  createTemplate,
  listAllTemplates,
  type Milestone,
  type MilestoneStrategy,
  reviveTemplate,
  type Template,
  type TemplateLimits,
  updateTemplate,
} from '#features/releases/release-templates/index.ts';
import type { Identity } from '#kernel/caller.ts';
import { limitFault } from '#kernel/limits.ts';
import { isHiddenFrom, reservedInPlan } from '#kernel/visible-names.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type FieldChange, fieldChanges, type StateChange } from './changes.ts';
import type { DesiredMilestone, DesiredTemplate } from './desired-state.ts';
import { checkedCondition, planCondition } from './milestones.ts';
import type { StateFault } from './options.ts';
import { strategyPayload } from './payloads.ts';
import { type FlagNames, namedCondition, presentTemplate } from './present.ts';
import type { ToRealId } from './segment-ids.ts';
import { milestonesOf } from './to-desired-state.ts';

/** A change of a release template, and the function that applies it. */
export interface TemplateOperation {
  readonly change: StateChange;
  run(tx: Tx, toRealId: ToRealId | undefined): Promise<void>;
}

interface Planned {
  readonly rules: Pick<FlagRules, 'definitions' | 'segments' | 'now'>;
  readonly limits: TemplateLimits;
  /** The names of segments by id, including new segments. */
  readonly segmentNames: ReadonlyMap<number, string>;
  readonly faults: StateFault[];
  readonly caller: Pick<Identity, 'hidden'>;
  /** Projects by id, including new ones. Hidden projects are absent. */
  readonly projects: ReadonlyMap<string, unknown>;
}

interface TemplateContext extends Pick<Planned, 'rules' | 'limits'> {
  readonly db: Db;
  readonly names: FlagNames;
  /** Who reads the metrics of gates. */
  readonly reader: Reader;
  /** The faults that were found, with paths that start at the template. */
  readonly faults: Fault[];
}

/** Compares the desired release templates with the stored ones. Two statements, plus the checks of gates. */
export async function compareReleaseTemplates(
  db: Db,
  desired: readonly DesiredTemplate[],
  { segmentNames, faults, caller, projects, ...planned }: Planned,
): Promise<TemplateOperation[]> {
  if (desired.length === 0) return [];
  const [stored, listed] = await Promise.all([listAllTemplates(db), listRoles(db)]);
  const names = { segments: segmentNames, roles: new Map(listed.map(({ id, name }) => [id, name])) };
  const operations: TemplateOperation[] = [];
  for (const template of desired) {
    const inner: Fault[] = [];
    const before = stored.find(({ name }) => name === template.name);
    const fault = (path: string, message: string) =>
      faults.push({ kind: 'release-template', name: template.name, path, message });
    if (before !== undefined && isHiddenFrom(caller, before)) {
      fault('', reservedInPlan(template.name));
      continue;
    }
    // No change is planned: the permissions that it needs could reveal a hidden project.
    if (template.project != null && !projects.has(template.project)) {
      fault('project', `there is no project ${template.project}`);
      continue;
    }
    const { project = before?.project ?? null } = template;
    const reader: Reader = project === null ? caller : { project };
    operations.push(...(await compareTemplate({ ...planned, db, names, reader, faults: inner }, before, template)));
    faults.push(...inner.map((fault) => ({ kind: 'release-template' as const, name: template.name, ...fault })));
  }
  checkLimit(stored, operations, planned.limits.templates, faults);
  // Archive first: archived templates do not count towards the limit.
  const isArchiving = ({ change }: TemplateOperation) => change.type === 'release-plan-template-archived';
  return [...operations.filter(isArchiving), ...operations.filter((operation) => !isArchiving(operation))];
}

async function compareTemplate(
  context: TemplateContext,
  before: Template | undefined,
  desired: DesiredTemplate,
): Promise<TemplateOperation[]> {
  const { name, archived = false, project = before?.project ?? null } = desired;
  const template = { name, project };
  if (before === undefined) return archived ? [] : [await creation(context, desired)];
  const operations = await updateOf(context, before, desired);
  if (archived === (before.archivedAt !== null)) return operations;
  const turned: TemplateOperation = archived
    ? { change: templateChange('archived', template), run: (tx) => archiveTemplate(tx, before.id) }
    : { change: templateChange('revived', template), run: (tx) => reviveTemplate(tx, context.limits, before.id) };
  return [...operations, turned];
}

async function creation(
  context: TemplateContext,
  { name, description = null, project = null, milestones: desired = [] }: DesiredTemplate,
): Promise<TemplateOperation> {
  const milestones = await planMilestones(context, [], desired);
  const fields = fieldChanges(undefined, fieldsOf({ description, project, milestones }, context.names));
  return {
    change: templateChange('created', { name, project }, fields),
    run: async (tx, toRealId) => {
      const body = { name, description, project, milestones: inputsOf(milestones, toRealId) };
      await createTemplate(tx, context.limits, body);
    },
  };
}

async function updateOf(
  context: TemplateContext,
  before: Template,
  { name, description = before.description, project = before.project, milestones: desired }: DesiredTemplate,
): Promise<TemplateOperation[]> {
  const faults: Fault[] = [];
  // Skip the check of equal milestones: their metric may be no longer reported, or their strategy type deleted.
  const isSame = desired === undefined || isDeepStrictEqual(desired, desiredOf(before, context.names));
  const milestones = isSame
    ? before.milestones
    : await planMilestones({ ...context, faults }, before.milestones, desired);
  const after = fieldsOf({ description, project, milestones }, context.names);
  const fields = fieldChanges(fieldsOf(before, context.names), after);
  if (fields.length === 0) return [];
  context.faults.push(...faults);
  const isReplaced = fields.some(({ field }) => field.startsWith('milestones.'));
  const run: TemplateOperation['run'] = async (tx, toRealId) => {
    const replaced = isReplaced ? { milestones: inputsOf(milestones, toRealId) } : {};
    await updateTemplate(tx, context.limits, before.id, { name, description, project, ...replaced });
  };
  return [{ change: templateChange('updated', { name, project }, fields), run }];
}

/**
 * Returns the desired milestones as they would be stored, and adds their faults. A milestone keeps the id of the stored
 * milestone with its name, and a strategy the id of the stored strategy at its position.
 */
async function planMilestones(
  context: TemplateContext,
  present: readonly Milestone[],
  desired: readonly DesiredMilestone[],
): Promise<Milestone[]> {
  const milestones: Milestone[] = [];
  for (const [index, milestone] of desired.entries()) {
    const path = `milestones.${index}`;
    const isFree = ({ id, name }: Milestone) => name === milestone.name && milestones.every((each) => each.id !== id);
    const before = present.find(isFree);
    milestones.push({
      id: before?.id ?? `new-${index}`,
      name: milestone.name,
      sortOrder: index,
      transitionCondition: await conditionOf(context, before, milestone, path),
      startedAt: null,
      progressionExecutedAt: null,
      strategies: milestone.strategies.flatMap((strategy, place) => {
        const planned = toStrategy(context, strategy, before?.strategies ?? [], `${path}.strategies.${place}`);
        return planned === undefined ? [] : [{ ...planned, id: before?.strategies[place]?.id ?? planned.id }];
      }),
    });
  }
  return milestones;
}

/**
 * Returns the gates of a milestone. Unchanged gates keep the id of a role that was deleted, and the check adds a fault.
 */
async function conditionOf(
  context: TemplateContext,
  before: Milestone | undefined,
  { transitionCondition }: DesiredMilestone,
  path: string,
): Promise<Milestone['transitionCondition']> {
  const isSame =
    before !== undefined && isDeepStrictEqual(namedCondition(before, context.names.roles), transitionCondition);
  const condition = isSame
    ? await checkedCondition(context, before.transitionCondition, path)
    : await planCondition(context, transitionCondition, path);
  return condition ?? null;
}

function toStrategy(
  { rules, limits, faults }: TemplateContext,
  { segments: names = [], sortOrder: _, ...input }: DesiredStrategy,
  kept: readonly MilestoneStrategy[],
  path: string,
): MilestoneStrategy | undefined {
  const segments = names.flatMap((name, index) => {
    const segment = rules.segments.get(name);
    if (segment !== undefined) return [segment.id];
    const message = `must be the name of a segment: there is no segment named ${name}`;
    faults.push({ path: `${path}.segments.${index}`, message });
    return [];
  });
  const definition = rules.definitions.get(input.name);
  const check = () => checkTemplateStrategy({ ...input, segments }, definition, limits, rules.now, kept);
  return collectFaults(faults, path, check);
}

function checkLimit(
  stored: readonly Template[],
  operations: readonly TemplateOperation[],
  limit: number,
  faults: StateFault[],
): void {
  const count = (...verbs: readonly Verb[]) =>
    operations.filter(({ change }) => verbs.some((verb) => change.type === `release-plan-template-${verb}`)).length;
  const added = count('created', 'revived');
  const inUse = stored.filter(({ archivedAt }) => archivedAt === null).length;
  if (added === 0 || inUse + added - count('archived') <= limit) return;
  faults.push({ kind: 'release-template', name: '', path: '', message: limitFault(limit, 'release templates') });
}

type Verb = 'created' | 'updated' | 'archived' | 'revived';

function templateChange(
  verb: Verb,
  { name, project }: Pick<Template, 'name' | 'project'>,
  fields: readonly FieldChange[] = [],
): StateChange {
  const type = `release-plan-template-${verb}` as const;
  return { type, kind: 'release-template', name, project, environment: null, item: null, fields };
}

/** Returns the fields that are compared, with a field for each milestone. */
function fieldsOf(template: Pick<Template, 'description' | 'project' | 'milestones'>, names: FlagNames) {
  const { description, project } = template;
  return { description, project, milestones: { ...presentTemplate(template, names).milestones } };
}

function desiredOf(template: Template, names: FlagNames): readonly DesiredMilestone[] {
  return milestonesOf(presentTemplate(template, names).milestones);
}

function inputsOf(milestones: readonly Milestone[], toRealId: ToRealId | undefined) {
  return milestones.map(({ id, name, transitionCondition, strategies }) => ({
    id,
    name,
    transitionCondition,
    strategies: strategies.map((strategy) => ({ ...strategyPayload(strategy, toRealId), id: strategy.id })),
  }));
}
