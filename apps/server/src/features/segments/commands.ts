import type { Author } from '../../kernel/actor.ts';
import type { Identity } from '../../kernel/caller.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import { isHiddenFrom, listVisibleNames, nameTaken } from '../../kernel/visible-names.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import type { Constraint } from '../constraints/index.ts';
import { checkLegalValues } from '../context-fields/index.ts';
import { findProject } from '../projects/index.ts';
import { defaultsUsing, strategiesUsing } from './queries.ts';
import { checkSegmentConstraints, checkUsable, type Segment, type SegmentLimits, segmentEventData } from './segment.ts';
import * as store from './store.ts';

export interface SegmentInput {
  readonly name: string;
  /** When absent it is none, or stays. */
  readonly description?: string | null | undefined;
  /** When absent it is none, or stays. */
  readonly project?: string | null | undefined;
  readonly constraints: readonly Constraint[];
}

/** Asked whether the author may change segments of a project, null for those of all; throws a 403 when not. */
export type MayChange = (project: string | null) => void;

/** Creates a segment. 400 over a limit, for wrong constraints and an unknown project; 409 when the name is taken. */
export async function createSegment(tx: Tx, limits: SegmentLimits, input: SegmentInput): Promise<Segment> {
  const { name, description = null, project = null, constraints } = input;
  checkSegmentConstraints(constraints, limits);
  await requireFreeName(tx.db, tx.by, name);
  await requireKnownProject(tx.db, project);
  await checkLegalValues(tx.db, project, constraints);
  if ((await store.countSegments(tx.db)) >= limits.segments) {
    throw new Problem('ExceedsLimitError', `The limit of ${limits.segments} segments is reached.`);
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
 * Changes a segment; nothing is recorded when nothing changes. Refused as {@link createSegment} is, and with a 400 when
 * it would belong to one project while flags of another one use it.
 */
export async function updateSegment(
  tx: Tx,
  limits: SegmentLimits,
  id: number,
  input: SegmentInput,
  mayChange: MayChange,
): Promise<void> {
  const before = await requireSegment(tx.db, id);
  const after: Segment = {
    ...before,
    name: input.name,
    description: input.description === undefined ? before.description : input.description,
    project: input.project === undefined ? before.project : input.project,
    constraints: input.constraints,
  };
  mayChange(before.project);
  mayChange(after.project);
  checkSegmentConstraints(after.constraints, limits);
  await checkLegalValues(tx.db, after.project, after.constraints, before.constraints);
  if (after.name !== before.name) await requireFreeName(tx.db, tx.by, after.name);
  if (after.project !== before.project) await requireMovable(tx, after);
  const [preData, data] = [segmentEventData(before), segmentEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return;
  await store.updateSegmentRow(tx, after);
  tx.record({ type: 'segment-updated', project: after.project, preData, data });
}

/** Deletes a segment. 409 while a strategy uses it, of an archived flag too, or the default strategy of a project. */
export async function deleteSegment(tx: Tx, id: number, mayChange: MayChange): Promise<void> {
  const segment = await requireSegment(tx.db, id);
  mayChange(segment.project);
  const using = await strategiesUsing(tx.db, id);
  const flags = listVisibleNames(
    tx.by,
    using.map(({ featureName, projectId }) => ({ name: featureName, project: projectId })),
  );
  if (flags !== undefined) {
    throw new Problem(
      'ConflictError',
      `The segment ${segment.name} is used by strategies of ${flags}. Take it from them first, from archived flags too.`,
    );
  }
  const defaulting = await defaultsUsing(tx.db, id);
  const places = listVisibleNames(
    tx.by,
    defaulting.map(({ project, environment }) => ({ name: `${project} (${environment})`, project })),
  );
  if (places !== undefined) {
    throw new Problem(
      'ConflictError',
      `The segment ${segment.name} is used by the default strategies of the projects ${places}. Take it from them first.`,
    );
  }
  await deleteAll(tx, [segment]);
}

/** Deletes the segments of a project. Its flags must be gone: nothing else can use them. */
export async function deleteSegmentsOfProject(tx: Tx, project: string): Promise<void> {
  await deleteAll(tx, await store.listSegments(tx.db, project));
}

/** The segment, or a 404. */
async function requireSegment(db: Db, id: number): Promise<Segment> {
  const [segment] = await store.findSegments(db, [id]);
  if (segment === undefined) throw new Problem('NotFoundError', `There is no segment ${id}.`);
  return segment;
}

/** {@link requireSegment}, and a 404 too when it belongs to a project that is hidden from the caller. */
export async function requireSeenSegment(db: Db, id: number, caller: Identity): Promise<Segment> {
  const segment = await requireSegment(db, id);
  if (isSeen(segment, caller)) return segment;
  throw new Problem('NotFoundError', `There is no segment ${id}.`);
}

/** Whether the caller may know of a segment. */
export function isSeen({ project }: Segment, caller: Identity): boolean {
  return project === null || !caller.hidden.has(project);
}

/** A 409 when a segment has this name: names are unique over all projects. */
export async function requireFreeName(db: Db, by: Pick<Author, 'hidden'>, name: string): Promise<void> {
  const holder = await store.findSegmentNamed(db, name);
  if (holder !== undefined) throw nameTaken(!isHiddenFrom(by, holder), name, `A segment named ${name} exists already.`);
}

/** A 400 unless a strategy of a flag of `project` may use all these segments. */
export async function requireUsableSegments(db: Db, ids: readonly number[], project: string): Promise<void> {
  checkUsable(ids, await store.findSegments(db, ids), project);
}

/** Names of those of the segments that strategies of flags of `project` may not use. */
export async function segmentsClosedTo(db: Db, ids: readonly number[], project: string): Promise<string[]> {
  const segments = await store.findSegments(db, ids);
  return segments.filter((one) => one.project !== null && one.project !== project).map(({ name }) => name);
}

async function requireKnownProject(db: Db, project: string | null): Promise<void> {
  if (project === null || (await findProject(db, project)) !== undefined) return;
  throw badField('project', `must be the id of a project, not ${project}`);
}

async function requireMovable({ db, by }: Tx, { id, project }: Segment): Promise<void> {
  await requireKnownProject(db, project);
  if (project === null) return;
  const [defaults, strategies] = await Promise.all([defaultsUsing(db, id), strategiesUsing(db, id)]);
  const projects = listVisibleNames(
    by,
    defaults.filter((one) => one.project !== project).map((one) => ({ ...one, name: one.project })),
  );
  if (projects !== undefined) {
    throw badField('project', `must leave it to the projects ${projects} too, whose default strategies use it`);
  }
  const foreign = listVisibleNames(
    by,
    strategies
      .filter(({ projectId }) => projectId !== project)
      .map(({ featureName, projectId }) => ({ name: `${featureName} of ${projectId}`, project: projectId })),
  );
  if (foreign !== undefined)
    throw badField('project', `must leave it to other projects too, for these flags use it: ${foreign}`);
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
