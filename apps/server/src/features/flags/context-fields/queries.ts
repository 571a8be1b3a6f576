import { prepared } from '#storage/prepared-query.ts';
import { type Db, sql } from '#storage/tx.ts';

/** Number of flags and projects that use a context field, including archived flags, which can be revived. */
export interface ContextFieldUse {
  readonly features: number;
  readonly projects: number;
}

/**
 * Returns the uses by context field name, in constraints of strategies outside hidden projects, with one statement.
 * Unused fields are absent.
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

/** Returns the uses of one context field; zeros when it is absent. */
export function useOf(uses: ReadonlyMap<string, ContextFieldUse>, name: string): ContextFieldUse {
  return uses.get(name) ?? { features: 0, projects: 0 };
}

/** Strategies of one type in one project and environment with a constraint on a field, ordered by flag. */
export interface UsingStrategies {
  readonly projectId: string;
  readonly environment: string;
  readonly strategyName: string;
  /** The flag of each strategy; a flag with several strategies appears several times. */
  readonly featureNames: readonly string[];
  /** The id of each strategy, in the order of `featureNames`. */
  readonly ids: readonly string[];
}

/** Returns the strategies with a constraint on a field, with one statement. */
export async function strategiesUsing(db: Db, field: string): Promise<UsingStrategies[]> {
  const rows = await selectStrategies(db, { field });
  return rows.map((row) => ({ ...row, featureNames: row.featureNames.split(' '), ids: row.ids.split(' ') }));
}

// Strategies are aggregated because the driver's cost per row dominates. Flag names and ids contain no spaces.
const selectStrategies = prepared<{ field: string }>().query((db, { field }) =>
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

/** Returns the flags, with their projects, that have a strategy with a constraint on a field. */
export async function flagsUsing(db: Db, field: string): Promise<{ name: string; project: string }[]> {
  return db
    .selectFrom('feature_strategy_fields')
    .where('field', '=', field)
    .select(['feature_name as name', 'project'])
    .distinct()
    .orderBy('feature_name')
    .execute();
}

/** Returns the projects that have a default strategy with a constraint on a field. */
export async function defaultStrategiesUsing(db: Db, field: string): Promise<string[]> {
  const rows = await db
    .selectFrom('default_strategy_fields')
    .where('field', '=', field)
    .select('project')
    .distinct()
    .orderBy('project')
    .execute();
  return rows.map(({ project }) => project);
}

/** Returns the segments, with their projects, that have a constraint on a field. */
export async function segmentsUsing(db: Db, field: string): Promise<{ name: string; project: string | null }[]> {
  return db
    .selectFrom('segment_fields as u')
    .innerJoin('segments as g', 'g.id', 'u.segment_id')
    .where('u.field', '=', field)
    .select(['g.name', 'g.project'])
    .orderBy('g.name')
    .execute();
}
