import { compiled } from '../../storage/compiled.ts';
import { type Db, sql } from '../../storage/tx.ts';

/** How much asks about a context field, archived flags included: reviving one brings its strategies back. */
export interface ContextFieldUse {
  readonly features: number;
  readonly projects: number;
}

/** The use of each context field by the constraints of strategies, or of one; absent when there is none. One statement. */
export async function contextFieldUses(db: Db, name?: string): Promise<ReadonlyMap<string, ContextFieldUse>> {
  let byProject = db
    .selectFrom('feature_strategy_fields')
    .select((eb) => ['field', 'project', eb.fn.count<number>('feature_name').distinct().as('features')])
    .groupBy(['field', 'project']);
  if (name !== undefined) byProject = byProject.where('field', '=', name);
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

/** A strategy with a constraint on a field, as it is told. */
export interface AskingStrategy {
  readonly id: string;
  readonly strategyName: string;
  readonly featureName: string;
  readonly projectId: string;
  readonly environment: string;
}

const pageSize = 2500;

/** The strategies with a constraint on a field, by flag, in pages: every flag may have one. One statement a page. */
export async function* strategiesAsking(db: Db, field: string): AsyncGenerator<readonly AskingStrategy[]> {
  for (let after = { featureName: '', environment: '', id: '' }; ; ) {
    const page = await selectAsking(db, { field, ...after });
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last;
  }
}

const selectAsking = compiled<{ field: string; featureName: string; environment: string; id: string }>().query(
  (db, { field, featureName, environment, id }) =>
    db
      .selectFrom('feature_strategy_fields')
      .where('field', '=', field)
      .where(sql<boolean>`(feature_name, environment, strategy_id) > (${featureName}, ${environment}, ${id})`)
      .select([
        'strategy_id as id',
        'strategy_name as strategyName',
        'feature_name as featureName',
        'project as projectId',
        'environment',
      ])
      .orderBy('feature_name')
      .orderBy('environment')
      .orderBy('strategy_id')
      .limit(pageSize),
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
