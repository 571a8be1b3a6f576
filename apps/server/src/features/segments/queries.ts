import { Problem } from '../../kernel/errors.ts';
import type { Db } from '../../storage/tx.ts';
import type { Segment } from './segment.ts';
import { findSegments } from './store.ts';

/** How much uses a segment, archived flags included: reviving one brings its strategies back. */
export interface SegmentUse {
  readonly features: number;
  readonly projects: number;
}

/** A strategy that uses something, and where it is. */
export interface UsingStrategy {
  readonly id: string;
  readonly strategyName: string;
  readonly featureName: string;
  readonly projectId: string;
  readonly environment: string;
}

/** The use of each segment, or of one, outside hidden projects; a segment that nothing uses is absent. One statement. */
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

/** The use of one segment, zeros when nothing uses it. */
export function useOf(uses: ReadonlyMap<number, SegmentUse>, id: number): SegmentUse {
  return uses.get(id) ?? { features: 0, projects: 0 };
}

/** The strategies that use a segment, by flag. */
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

/** The projects and environments whose default strategy uses a segment, by project. */
export async function defaultsUsing(db: Db, id: number): Promise<{ project: string; environment: string }[]> {
  return db
    .selectFrom('default_strategy_segments')
    .where('segment_id', '=', id)
    .select(['project', 'environment'])
    .orderBy('project')
    .orderBy('environment')
    .execute();
}

/** The segments of a strategy, by id. 404 for a strategy that is not there. */
export async function segmentsOfStrategy(db: Db, strategyId: string): Promise<Segment[]> {
  const rows = await db
    .selectFrom('feature_strategies as s')
    .leftJoin('feature_strategy_segments as g', 'g.strategy_id', 's.id')
    .where('s.id', '=', strategyId)
    .select('g.segment_id')
    .execute();
  if (rows.length === 0) throw new Problem('NotFoundError', `There is no strategy ${strategyId}.`);
  return findSegments(
    db,
    rows.flatMap(({ segment_id }) => segment_id ?? []),
  );
}

/** A segment as SDKs need it. */
export interface ClientSegment {
  readonly id: number;
  readonly name: string;
  /** An array of constraints. */
  readonly constraintsJson: string;
}

/** More ids than this are not sent to the database: all segments are read. */
const maxIdsInQuery = 1000;

/** The segments of these ids, or all of them, as SDKs need them. The JSON stays the text it is stored as. */
export async function loadClientSegments(db: Db, ids?: readonly number[]): Promise<ClientSegment[]> {
  if (ids?.length === 0) return [];
  let query = db.selectFrom('segments').select(['id', 'name', 'constraints as constraintsJson']);
  if (ids !== undefined && ids.length <= maxIdsInQuery) query = query.where('id', 'in', ids);
  return query.execute();
}
