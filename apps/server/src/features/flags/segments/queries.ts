import { z } from 'zod';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { Db } from '#storage/tx.ts';
import type { Segment } from './segment.ts';
import { findSegments } from './store.ts';

/** Number of flags and projects that use a segment, including archived flags, which can be revived. */
export interface SegmentUse {
  readonly features: number;
  readonly projects: number;
}

/** A strategy that uses a segment, with its flag, project and environment. */
export interface UsingStrategy {
  readonly id: string;
  readonly strategyName: string;
  readonly featureName: string;
  readonly projectId: string;
  readonly environment: string;
}

/** Returns the uses by segment id outside hidden projects, with one statement. Unused segments are absent. */
export async function segmentUses(
  db: Db,
  hidden: ReadonlySet<string>,
  id?: number,
): Promise<ReadonlyMap<number, SegmentUse>> {
  let query = db
    .selectFrom('feature_strategy_segments as g')
    .innerJoin('feature_strategies as s', 's.id', 'g.strategy_id')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select((eb) => [
      'g.segment_id',
      eb.fn.count<number>('f.name').distinct().as('features'),
      eb.fn.count<number>('f.project').distinct().as('projects'),
    ])
    .groupBy('g.segment_id');
  if (id !== undefined) query = query.where('g.segment_id', '=', id);
  if (hidden.size > 0) query = query.where('f.project', 'not in', [...hidden]);
  const rows = await query.execute();
  return new Map(rows.map(({ segment_id, features, projects }) => [segment_id, { features, projects }]));
}

/** Returns the uses of one segment; zeros when it is absent. */
export function useOf(uses: ReadonlyMap<number, SegmentUse>, id: number): SegmentUse {
  return uses.get(id) ?? { features: 0, projects: 0 };
}

/** Returns the strategies that use a segment, ordered by flag. */
export async function strategiesUsing(db: Db, id: number): Promise<UsingStrategy[]> {
  return db
    .selectFrom('feature_strategy_segments as g')
    .innerJoin('feature_strategies as s', 's.id', 'g.strategy_id')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .where('g.segment_id', '=', id)
    .select(['s.id', 's.name as strategyName', 'f.name as featureName', 'f.project as projectId', 's.environment'])
    .orderBy('f.name')
    .orderBy('s.environment')
    .orderBy('s.sort_order')
    .orderBy('s.id')
    .execute();
}

/** The part of a held milestone that is needed here: its strategies, which the flag itself does not have. */
const heldMilestoneColumn = jsonColumn(
  'feature_leases.milestone',
  z.object({ strategies: z.array(z.object({ segments: z.array(z.number()) })) }),
);

/** Returns the flags that are held at a milestone whose strategies use a segment, ordered by flag. */
export async function flagsHeldWith(
  db: Db,
  id: number,
): Promise<Pick<UsingStrategy, 'featureName' | 'projectId' | 'environment'>[]> {
  const rows = await db
    .selectFrom('feature_leases as l')
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .where('l.milestone', 'is not', null)
    .select(['l.id', 'f.name as featureName', 'f.project as projectId', 'l.environment'])
    .select((eb) => eb.ref('l.milestone').$notNull().as('milestone'))
    .orderBy('f.name')
    .orderBy('l.environment')
    .execute();
  return rows
    .filter((row) =>
      heldMilestoneColumn.parse(row.milestone, row.id).strategies.some(({ segments }) => segments.includes(id)),
    )
    .map(({ featureName, projectId, environment }) => ({ featureName, projectId, environment }));
}

/** Returns the projects and environments whose default strategy uses a segment, ordered by project. */
export async function defaultStrategiesUsing(db: Db, id: number): Promise<{ project: string; environment: string }[]> {
  return db
    .selectFrom('default_strategy_segments')
    .where('segment_id', '=', id)
    .select(['project', 'environment'])
    .orderBy('project')
    .orderBy('environment')
    .execute();
}

/**
 * Returns the segments of a strategy, ordered by id. Rejects with 404 for an unknown strategy, and for one of a project
 * that is hidden from the caller.
 */
export async function segmentsOfStrategy(
  db: Db,
  strategyId: string,
  { hidden }: Pick<Identity, 'hidden'>,
): Promise<Segment[]> {
  const rows = await db
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .leftJoin('feature_strategy_segments as g', 'g.strategy_id', 's.id')
    .where('s.id', '=', strategyId)
    .select(['g.segment_id', 'f.project'])
    .execute();
  if (rows.every(({ project }) => hidden.has(project)))
    throw new Problem('NotFoundError', `There is no strategy ${strategyId}.`);
  return findSegments(
    db,
    rows.flatMap(({ segment_id }) => segment_id ?? []),
  );
}

/** A segment in the form that SDKs get. */
export interface ClientSegment {
  readonly id: number;
  readonly name: string;
  /** JSON text of an array of constraints. */
  readonly constraintsJson: string;
}

/** For more ids than this, all segments are read: a long parameter list is slower. */
const maxIdsInQuery = 1000;

/** Returns segments for SDKs, all or at least those of `ids`. Constraints stay the stored JSON text. */
export async function loadClientSegments(db: Db, ids?: readonly number[]): Promise<ClientSegment[]> {
  if (ids?.length === 0) return [];
  let query = db.selectFrom('segments').select(['id', 'name', 'constraints as constraintsJson']);
  if (ids !== undefined && ids.length <= maxIdsInQuery) query = query.where('id', 'in', ids);
  return query.execute();
}
