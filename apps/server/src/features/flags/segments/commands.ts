import { checkLegalValues } from '#features/flags/context-fields/index.ts';
import type { ConstraintInput } from '#features/platform/constraints/index.ts';
import { findProject } from '#features/projects/projects/index.ts';
import type { Author } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { limitReached } from '#kernel/limits.ts';
import { isHiddenFrom, listVisibleNames, nameTaken } from '#kernel/visible-names.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { defaultStrategiesUsing, flagsHeldWith, strategiesUsing, type UsingStrategy } from './queries.ts';
import {
  checkSegmentConstraints,
  checkSegmentsUsable,
  type Segment,
  type SegmentLimits,
  segmentEventData,
} from './segment.ts';
import * as store from './store.ts';

export interface SegmentInput {
  readonly name: string;
  /** When absent: null for a new segment, unchanged for an existing one. */
  readonly description?: string | null | undefined;
  /** When absent: null for a new segment, unchanged for an existing one. */
  readonly project?: string | null | undefined;
  readonly constraints: readonly ConstraintInput[];
}

/** Throws a 403 unless the author may change segments of a project, or shared segments for null. */
export type RequireMayChange = (project: string | null) => void;

/**
 * Creates a segment. Rejects with 400 over a limit, for invalid constraints and an unknown project; with 409 when the
 * name is taken.
 */
export async function createSegment(tx: Tx, limits: SegmentLimits, input: SegmentInput): Promise<Segment> {
  const { name, description = null, project = null } = input;
  const constraints = checkSegmentConstraints(input.constraints, limits);
  await requireFreeName(tx.db, tx.by, name);
  await requireKnownProject(tx.db, project);
  await checkLegalValues(tx.db, project, constraints);
  if ((await store.countSegments(tx.db)) >= limits.segments) {
    throw limitReached(limits.segments, 'segments');
  }
  const segment = await store.insertSegment(tx, {
    name,
    description,
    project,
    constraints,
    createdBy: tx.by.actor.name,
    createdAt: tx.now,
  });
  tx.record({ type: 'segment-created', project, data: segmentEventData(segment) });
  return segment;
}

/**
 * Changes a segment; records nothing when nothing changes. Rejects like {@link createSegment}, and with 400 when the
 * segment would move to one project while flags of another project use it.
 */
export async function updateSegment(
  tx: Tx,
  limits: SegmentLimits,
  id: number,
  input: SegmentInput,
  requireMayChange: RequireMayChange,
): Promise<void> {
  const before = await requireSegment(tx.db, id);
  const renamed = {
    ...before,
    name: input.name,
    description: input.description === undefined ? before.description : input.description,
    project: input.project === undefined ? before.project : input.project,
  };
  requireMayChange(before.project);
  requireMayChange(renamed.project);
  const constraints = checkSegmentConstraints(input.constraints, limits, before.constraints);
  const after: Segment = { ...renamed, constraints };
  await checkLegalValues(tx.db, after.project, after.constraints, before.constraints);
  if (after.name !== before.name) await requireFreeName(tx.db, tx.by, after.name);
  if (after.project !== before.project) await requireMovable(tx, after);
  const [preData, data] = [segmentEventData(before), segmentEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return;
  await store.updateSegmentRow(tx, after);
  tx.record({ type: 'segment-updated', project: after.project, preData, data });
}

/**
 * Deletes a segment. Rejects with 409 while a strategy, a default strategy or the milestone at which a flag is held
 * uses it. Strategies of archived flags count, and those in environments that were removed from the project, which are
 * kept for when they are added again.
 */
export async function deleteSegment(tx: Tx, id: number, requireMayChange: RequireMayChange): Promise<void> {
  const segment = await requireSegment(tx.db, id);
  requireMayChange(segment.project);
  const flags = listVisibleNames(tx.by, (await strategiesUsing(tx.db, id)).map(toNamed));
  if (flags !== undefined) {
    throw new Problem(
      'ConflictError',
      `The segment ${segment.name} is used by strategies of ${flags}. Remove it from these strategies first, also from those of archived flags, and those in environments that were removed from the project.`,
    );
  }
  const heldFlags = listVisibleNames(tx.by, (await flagsHeldWith(tx.db, id)).map(toNamed));
  if (heldFlags !== undefined) {
    throw new Problem(
      'ConflictError',
      `The segment ${segment.name} is used by the milestones at which flags are held: ${heldFlags}. Release the holds or wait until they end.`,
    );
  }
  const defaultStrategies = await defaultStrategiesUsing(tx.db, id);
  const places = listVisibleNames(
    tx.by,
    defaultStrategies.map(({ project, environment }) => ({ name: `${project} (${environment})`, project })),
  );
  if (places !== undefined) {
    throw new Problem(
      'ConflictError',
      `The segment ${segment.name} is used by the default strategies of the projects ${places}. Remove it from them first.`,
    );
  }
  await deleteAll(tx, [segment]);
}

function toNamed({
  featureName,
  environment,
  projectId,
}: Pick<UsingStrategy, 'featureName' | 'environment' | 'projectId'>) {
  return { name: `${featureName} (${environment})`, project: projectId };
}

/**
 * Deletes the segments of a project. Must run after the flags of the project are deleted, because only they use the
 * segments.
 */
export async function deleteSegmentsOfProject(tx: Tx, project: string): Promise<void> {
  await deleteAll(tx, await store.listSegments(tx.db, project));
}

/** Returns the segment. Rejects with 404 when it does not exist. */
async function requireSegment(db: Db, id: number): Promise<Segment> {
  const [segment] = await store.findSegments(db, [id]);
  if (segment === undefined) throw new Problem('NotFoundError', `There is no segment ${id}.`);
  return segment;
}

/** Like {@link requireSegment}, and rejects with 404 when the segment belongs to a project hidden from the caller. */
export async function requireVisibleSegment(db: Db, id: number, caller: Identity): Promise<Segment> {
  const segment = await requireSegment(db, id);
  if (isVisible(segment, caller)) return segment;
  throw new Problem('NotFoundError', `There is no segment ${id}.`);
}

/** Returns whether the caller may see a segment. */
export function isVisible({ project }: Segment, caller: Identity): boolean {
  return project === null || !caller.hidden.has(project);
}

/** Rejects with 409 when the name is taken. Names are unique over all projects. */
export async function requireFreeName(db: Db, by: Pick<Author, 'hidden'>, name: string): Promise<void> {
  const existing = await store.findSegmentNamed(db, name);
  if (existing !== undefined)
    throw nameTaken(!isHiddenFrom(by, existing), name, `A segment named ${name} exists already.`);
}

/** Rejects with 400 unless strategies of flags in `project` may use all these segments. */
export async function requireUsableSegments(db: Db, ids: readonly number[], project: string): Promise<void> {
  checkSegmentsUsable(ids, await store.findSegments(db, ids), project);
}

/** Returns the names of the segments that strategies of flags in `project` may not use. */
export async function segmentsNotUsableIn(db: Db, ids: readonly number[], project: string): Promise<string[]> {
  const segments = await store.findSegments(db, ids);
  return segments.filter((segment) => segment.project !== null && segment.project !== project).map(({ name }) => name);
}

async function requireKnownProject(db: Db, project: string | null): Promise<void> {
  if (project === null || (await findProject(db, project)) !== undefined) return;
  throw badField('project', `must be the id of a project, not ${project}`);
}

async function requireMovable({ db, by }: Tx, { id, project }: Segment): Promise<void> {
  await requireKnownProject(db, project);
  if (project === null) return;
  const [defaults, strategies, held] = await Promise.all([
    defaultStrategiesUsing(db, id),
    strategiesUsing(db, id),
    flagsHeldWith(db, id),
  ]);
  const projects = listVisibleNames(
    by,
    defaults
      .filter((strategy) => strategy.project !== project)
      .map((strategy) => ({ ...strategy, name: strategy.project })),
  );
  if (projects !== undefined) {
    throw badField('project', `cannot be ${project}: default strategies of the projects ${projects} use the segment`);
  }
  const foreign = listVisibleNames(
    by,
    [...strategies, ...held]
      .filter(({ projectId }) => projectId !== project)
      .map(({ featureName, projectId }) => ({ name: `${featureName} of ${projectId}`, project: projectId })),
  );
  if (foreign !== undefined)
    throw badField('project', `cannot be ${project}: flags of other projects use the segment: ${foreign}`);
}

async function deleteAll(tx: Tx, segments: readonly Segment[]): Promise<void> {
  if (segments.length === 0) return;
  await store.deleteSegmentRows(
    tx,
    segments.map(({ id }) => id),
  );
  for (const segment of segments) {
    tx.record({ type: 'segment-deleted', project: segment.project, preData: segmentEventData(segment) });
  }
}
