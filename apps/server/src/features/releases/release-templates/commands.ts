import { maxMilestoneStrategies } from '@yardarm/contract';
import { findSegments } from '#features/flags/segments/index.ts';
import {
  emptyStrategy,
  type Kept,
  revise,
  type StrategyInput,
  type StrategyLimits,
} from '#features/flags/strategies/index.ts';
import { findStrategyType, type StrategyType } from '#features/flags/strategy-types/index.ts';
import type { Reader } from '#features/people/token-scopes/index.ts';
import type { Author } from '#kernel/actor.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { isSameJson } from '#kernel/same-json.ts';
import { isHiddenFrom, nameTaken } from '#kernel/visible-names.ts';
import type { Db, Tx } from '#storage/tx.ts';
import {
  inOrder,
  inputOf,
  type Milestone,
  type MilestoneInput,
  type MilestoneStrategy,
  type MilestoneStrategyInput,
  type ToStrategy,
  toMilestone,
  toMilestones,
} from './milestone.ts';
import { presentTemplate } from './present.ts';
import * as store from './store.ts';
import type { Template } from './template.ts';

export interface TemplateLimits {
  readonly templates: number;
  readonly strategies: StrategyLimits;
}

interface TemplateBody {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** When absent: null for a new template, unchanged for an existing one. */
  readonly project?: string | null | undefined;
}

/** Creates a template. Rejects with 409 when the name is taken, and with 400 over the limit of templates. */
export async function createTemplate(
  tx: Tx,
  limits: TemplateLimits,
  {
    name,
    description = null,
    project = null,
    milestones,
  }: TemplateBody & { readonly milestones: readonly MilestoneInput[] },
): Promise<Template> {
  await requireFreeName(tx, name);
  await requireBelowLimit(tx.db, limits);
  const template: Template = {
    id: newId(),
    name,
    description,
    project,
    createdByUserId: tx.by.actor.userId,
    createdAt: tx.now,
    archivedAt: null,
    milestones: await toMilestones(tx.db, readerOf(tx, project), milestones, [], toStrategy(tx, limits)),
  };
  await store.insertTemplate(tx, template);
  tx.record({ type: 'release-plan-template-created', project, data: presentTemplate(template) });
  return template;
}

/** Updates a template. Rejects with 404 when it does not exist, and with 409 when the name is taken. */
export async function updateTemplate(
  tx: Tx,
  limits: TemplateLimits,
  id: string,
  body: TemplateBody & { readonly milestones?: readonly MilestoneInput[] | undefined },
): Promise<Template> {
  const { name, description, project, milestones } = body;
  return edit(tx, id, async (before) => {
    if (name !== before.name) await requireFreeName(tx, name);
    const owner = project === undefined ? before.project : project;
    return {
      ...before,
      name,
      description: description === undefined ? before.description : description,
      project: owner,
      milestones:
        milestones === undefined
          ? before.milestones
          : await toMilestones(tx.db, readerOf(tx, owner), milestones, before.milestones, toStrategy(tx, limits)),
    };
  });
}

/** Archives a template. Records no event when it is archived already. */
export async function archiveTemplate(tx: Tx, id: string): Promise<void> {
  const before = await requireTemplate(tx.db, id);
  if (before.archivedAt !== null) return;
  const after = { ...before, archivedAt: tx.now };
  await store.updateTemplate(tx, after);
  tx.record({ type: 'release-plan-template-archived', project: after.project, data: presentTemplate(after) });
}

/** Revives an archived template. Records no event when it is not archived. Rejects with 400 over the limit. */
export async function reviveTemplate(tx: Tx, limits: TemplateLimits, id: string): Promise<void> {
  const before = await requireTemplate(tx.db, id);
  if (before.archivedAt === null) return;
  await requireBelowLimit(tx.db, limits);
  const after = { ...before, archivedAt: null };
  await store.updateTemplate(tx, after);
  tx.record({ type: 'release-plan-template-revived', project: after.project, data: presentTemplate(after) });
}

export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  await remove(tx, await requireTemplate(tx.db, id));
}

/** Deletes the templates of a project, archived ones included. */
export async function deleteTemplatesOfProject(tx: Tx, project: string): Promise<void> {
  for (const template of await store.templatesOfProject(tx.db, project)) await remove(tx, template);
}

/**
 * Checks the input of a strategy of a template and returns the strategy, with a new id. The group id of a gradual
 * rollout stays empty, because each release plan fills in the name of its flag. Does not check that the segments exist:
 * callers do. What depends on the project is checked when the template is applied. What stored strategies of `kept`
 * hold may stay. Throws a 400 that names the invalid field.
 */
export function checkTemplateStrategy(
  input: StrategyInput,
  definition: StrategyType | undefined,
  limits: TemplateLimits,
  now: number,
  kept: readonly Kept[],
): MilestoneStrategy {
  const rules = { limits: limits.strategies, defaultStickiness: 'default', definition, kept };
  const { featureName, environment, createdAt, ...strategy } = revise(
    emptyStrategy(newId(), '', '', now),
    input,
    rules,
  );
  return strategy;
}

/**
 * Adds a milestone at the position that the request names, or after the last milestone. Rejects with 400 over the limit
 * of milestones.
 */
export async function addMilestone(
  tx: Tx,
  limits: TemplateLimits,
  id: string,
  body: MilestoneInput,
  most: number,
): Promise<Milestone> {
  const before = await requireTemplate(tx.db, id);
  if (before.milestones.length >= most)
    throw new Problem('ExceedsLimitError', `A release template can have at most ${most} milestones.`);
  const last = before.milestones.at(-1);
  const position = body.sortOrder ?? (last === undefined ? 0 : last.sortOrder + 1);
  const added = await toMilestone(
    tx.db,
    readerOf(tx, before.project),
    body,
    undefined,
    position,
    toStrategy(tx, limits),
  );
  await edit(tx, id, (template) => ({ ...template, milestones: sorted([...template.milestones, added]) }));
  return added;
}

/** Returns who reads the metrics of a template: its project, or the author when it belongs to all projects. */
function readerOf({ by }: Pick<Tx, 'by'>, project: string | null): Reader {
  return project === null ? { hidden: by.hidden ?? new Set() } : { project };
}

/** Updates a milestone. Rejects with 404 when the template has no such milestone. */
async function changeMilestone(
  tx: Tx,
  ref: MilestoneRef,
  change: (before: Milestone, template: Template) => Promise<Milestone> | Milestone,
): Promise<Milestone> {
  const template = await requireTemplate(tx.db, ref.templateId);
  const before = requireMilestone(template, ref);
  const after = await change(before, template);
  await edit(tx, ref.templateId, (current) => ({
    ...current,
    milestones: sorted(current.milestones.map((milestone) => (milestone.id === after.id ? after : milestone))),
  }));
  return after;
}

export async function deleteMilestone(tx: Tx, ref: MilestoneRef): Promise<void> {
  await edit(tx, ref.templateId, (template) => {
    requireMilestone(template, ref);
    return { ...template, milestones: template.milestones.filter(({ id }) => id !== ref.milestoneId) };
  });
}

export interface MilestoneRef {
  readonly templateId: string;
  readonly milestoneId: string;
}

/** Replaces a milestone by that of a request. */
export async function replaceMilestone(
  tx: Tx,
  limits: TemplateLimits,
  ref: MilestoneRef,
  body: MilestoneInput,
): Promise<Milestone> {
  return changeMilestone(tx, ref, (before, { project }) =>
    toMilestone(tx.db, readerOf(tx, project), body, before, body.sortOrder ?? before.sortOrder, toStrategy(tx, limits)),
  );
}

/** Adds a strategy to a milestone at the position that the request names, or after the last strategy. */
export async function addMilestoneStrategy(
  tx: Tx,
  limits: TemplateLimits,
  ref: MilestoneRef,
  body: MilestoneStrategyInput,
): Promise<Milestone> {
  return changeMilestone(tx, ref, async (before) => {
    if (before.strategies.length >= maxMilestoneStrategies)
      throw new Problem('BadDataError', `A milestone has at most ${maxMilestoneStrategies} strategies.`);
    const strategy = await toStrategy(tx, limits)(inputOf(body, before.strategies.length), []);
    return { ...before, strategies: inOrder([...before.strategies, strategy]) };
  });
}

/** Replaces a strategy of a milestone. Rejects with 404 when the milestone has no such strategy. */
export async function replaceMilestoneStrategy(
  tx: Tx,
  limits: TemplateLimits,
  ref: MilestoneRef & { readonly strategyId: string },
  body: MilestoneStrategyInput,
): Promise<MilestoneStrategy> {
  const after = await changeMilestone(tx, ref, async (before) => {
    const old = requireStrategy(before, ref.strategyId);
    const { id, sortOrder } = old;
    const strategy = { ...(await toStrategy(tx, limits)(inputOf(body, sortOrder), [old])), id };
    return { ...before, strategies: inOrder(before.strategies.map((same) => (same.id === id ? strategy : same))) };
  });
  return requireStrategy(after, ref.strategyId);
}

export async function deleteMilestoneStrategy(
  tx: Tx,
  ref: MilestoneRef & { readonly strategyId: string },
): Promise<void> {
  await changeMilestone(tx, ref, (before) => {
    requireStrategy(before, ref.strategyId);
    return { ...before, strategies: before.strategies.filter(({ id }) => id !== ref.strategyId) };
  });
}

/** Returns the template. Rejects with 404 when it does not exist. */
async function requireTemplate(db: Db, id: string): Promise<Template> {
  return requireVisibleTemplate(db, id, {});
}

/** Returns the template. Rejects with 404 when it does not exist, or belongs to a project hidden from the caller. */
export async function requireVisibleTemplate(db: Db, id: string, by: Pick<Author, 'hidden'>): Promise<Template> {
  const template = await store.findTemplate(db, id);
  if (template !== undefined && !isHiddenFrom(by, template)) return template;
  throw new Problem('NotFoundError', `There is no release template ${id}.`);
}

/**
 * Returns a template for a flag of `project`. Rejects like {@link requireVisibleTemplate}, and with 400 for a template
 * of another project.
 */
export async function requireUsableTemplate(
  db: Db,
  id: string,
  project: string,
  by: Pick<Author, 'hidden'>,
): Promise<Template> {
  const template = await requireVisibleTemplate(db, id, by);
  if (template.project === null || template.project === project) return template;
  throw badField(
    'templateId',
    `must be a template of the project ${project} or of all projects, and ${template.name} belongs to ${template.project}`,
  );
}

function requireMilestone({ name, milestones }: Template, { milestoneId }: MilestoneRef): Milestone {
  const milestone = milestones.find(({ id }) => id === milestoneId);
  if (milestone !== undefined) return milestone;
  throw new Problem('NotFoundError', `The release template ${name} has no milestone ${milestoneId}.`);
}

function requireStrategy({ name, strategies }: Milestone, id: string): MilestoneStrategy {
  const strategy = strategies.find((present) => present.id === id);
  if (strategy !== undefined) return strategy;
  throw new Problem('NotFoundError', `The milestone ${name} has no strategy ${id}.`);
}

/** Rejects with 409 when the name is taken. Names are unique over all projects. */
async function requireFreeName({ db, by }: Tx, name: string): Promise<void> {
  const existing = await store.findTemplateNamed(db, name);
  if (existing !== undefined)
    throw nameTaken(!isHiddenFrom(by, existing), name, `A release template named ${name} exists already.`);
}

async function remove(tx: Tx, template: Template): Promise<void> {
  await store.deleteTemplate(tx, template.id);
  const { project } = template;
  tx.record({ type: 'release-plan-template-deleted', project, preData: presentTemplate(template) });
}

/** Rejects with 400 when the limit of templates is reached. Archived templates do not count. */
async function requireBelowLimit(db: Db, { templates: limit }: TemplateLimits): Promise<void> {
  const count = await store.countTemplates(db);
  if (count < limit) return;
  throw new Problem('ExceedsLimitError', `There are ${count} release templates, and the limit is ${limit}.`);
}

/** Stores a changed template. Records no event when nothing changes. */
async function edit(tx: Tx, id: string, change: (before: Template) => Promise<Template> | Template): Promise<Template> {
  const before = await requireTemplate(tx.db, id);
  const after = await change(before);
  const [preData, data] = [presentTemplate(before), presentTemplate(after)];
  if (isSameJson(preData, data)) return before;
  await store.updateTemplate(tx, after);
  tx.record({ type: 'release-plan-template-updated', project: after.project, preData, data });
  return after;
}

/** Returns the function that checks a strategy of a template, and that the segments of the strategy exist. */
function toStrategy({ db, now }: Tx, limits: TemplateLimits): ToStrategy {
  return async (input, kept) => {
    const definition = await findStrategyType(db, input.name ?? '');
    const strategy = checkTemplateStrategy(input, definition, limits, now, kept);
    const known = await findSegments(db, strategy.segments);
    const unknown = strategy.segments.find((id) => !known.some((segment) => segment.id === id));
    if (unknown !== undefined)
      throw badField('segments', `must be ids of segments, and there is no segment ${unknown}`);
    return strategy;
  };
}

function sorted(milestones: readonly Milestone[]): Milestone[] {
  return milestones.toSorted((a, b) => a.sortOrder - b.sortOrder);
}
