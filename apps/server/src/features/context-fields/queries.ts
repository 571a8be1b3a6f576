import { prepared } from '../../storage/prepared-query.ts';
import { type Db, sql } from '../../storage/tx.ts';

/** How much asks about a context field, archived flags included: reviving one brings its strategies back. */
export interface ContextFieldUse {
  readonly features: number;
  readonly projects: number;
}

/**
 * The use of each context field, or of one, by the constraints of strategies outside hidden projects; absent when there is none. One
 * statement.
 */
export async function contextFieldUses(
  db: Db,
  hidden: ReadonlySet<string>,
  name?: string,
): Promise<ReadonlyMap<string, ContextFieldUse>> {
  let byProject = db
    .selectFrom('feature_strategy_fields')
    .select((eb) => ['field', 'project', eb.fn.count<number>('feature_name').distinct().as('features')])
    .groupBy(['field', 'project']);
  if (name !== undefined) byProject = byProject.where('field', '=', name);
  if (hidden.size > 0) byProject = byProject.where('project', 'not in', [...hidden]);
  const rows = await db
    .selectFrom(byProject.as('u'))
    .innerJoin('context_fields as c', 'c.name', 'u.field')
    .select((eb) => [
      'u.field',
      sql<number>`cast(sum(${eb.ref('u.features')}) as bigint)`.as('features'),
      eb.fn.countAll<number>().as('projects'),
    ])
    .groupBy('u.field')
    .execute();
  return new Map(rows.map(({ field, features, projects }) => [field, { features, projects }]));
}

/** The use of one context field, zeros when nothing asks about it. */
export function useOf(uses: ReadonlyMap<string, ContextFieldUse>, name: string): ContextFieldUse {
  return uses.get(name) ?? { features: 0, projects: 0 };
}

/** The strategies of one name in one project and environment that have a constraint on a field, by flag. */
export interface AskingStrategies {
  readonly projectId: string;
  readonly environment: string;
  readonly strategyName: string;
  /** Of each its flag; one that has several of them stands here several times. */
  readonly featureNames: readonly string[];
  /** Of each its id, in the same order. */
  readonly ids: readonly string[];
}

/** The strategies with a constraint on a field: every flag may have one in each environment. One statement. */
export async function strategiesAsking(db: Db, field: string): Promise<AskingStrategies[]> {
  const rows = await selectAsking(db, { field });
  return rows.map((row) => ({ ...row, featureNames: row.featureNames.split(' '), ids: row.ids.split(' ') }));
}

// A row for each strategy takes the driver longer than anything else in the answer. Names of flags and ids hold no spaces.
const selectAsking = prepared<{ field: string }>().query((db, { field }) =>
  db
    .selectFrom(
      db
        .selectFrom('feature_strategy_fields')
        .where('field', '=', field)
        .select(['project', 'environment', 'strategy_name', 'feature_name', 'strategy_id'])
        .orderBy('project')
        .orderBy('environment')
        .orderBy('strategy_name')
        .orderBy('feature_name')
        .orderBy('strategy_id')
        .as('asking'),
    )
    .select([
      'project as projectId',
      'environment',
      'strategy_name as strategyName',
      sql<string>`string_agg(feature_name, ' ')`.as('featureNames'),
      sql<string>`string_agg(strategy_id, ' ')`.as('ids'),
    ])
    .groupBy(['project', 'environment', 'strategy_name'])
    .orderBy('project')
    .orderBy('environment')
    .orderBy('strategy_name'),
);

/** The flags with a strategy that has a constraint on a field, and their projects. */
export async function flagsAsking(db: Db, field: string): Promise<{ name: string; project: string }[]> {
  return db
    .selectFrom('feature_strategy_fields')
    .where('field', '=', field)
    .select(['feature_name as name', 'project'])
    .distinct()
    .orderBy('feature_name')
    .execute();
}

/** The projects with a default strategy that has a constraint on a field. */
export async function defaultsAsking(db: Db, field: string): Promise<string[]> {
  const rows = await db
    .selectFrom('default_strategy_fields')
    .where('field', '=', field)
    .select('project')
    .distinct()
    .orderBy('project')
    .execute();
  return rows.map(({ project }) => project);
}

/** The segments with a constraint on a field, and the projects that these belong to. */
export async function segmentsAsking(db: Db, field: string): Promise<{ name: string; project: string | null }[]> {
  return db
    .selectFrom('segment_fields as u')
    .innerJoin('segments as g', 'g.id', 'u.segment_id')
    .where('u.field', '=', field)
    .select(['g.name', 'g.project'])
    .orderBy('g.name')
    .execute();
}
