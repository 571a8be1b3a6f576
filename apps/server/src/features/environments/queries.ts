import type { Db } from '../../storage/tx.ts';
import type { EnvironmentUse } from './environment.ts';

/**
 * How much there is in each environment, by its name; one in which there is nothing is absent. With `project`,
 * only what belongs to it: its flags, and tokens that open it. Always three statements.
 */
export async function environmentUses(db: Db, project?: string): Promise<ReadonlyMap<string, EnvironmentUse>> {
  const [projects, tokens, flags] = await Promise.all([
    countProjects(db, project),
    countTokens(db, project),
    countEnabledFlags(db, project),
  ]);
  const uses = new Map<string, EnvironmentUse>();
  const add = (rows: readonly Count[], field: keyof EnvironmentUse) => {
    for (const { environment, n } of rows) uses.set(environment, { ...useOf(uses, environment), [field]: n });
  };
  add(projects, 'projects');
  add(tokens, 'tokens');
  add(flags, 'enabledFlags');
  return uses;
}

/** The use of one environment, zeros when there is nothing in it. */
export function useOf(uses: ReadonlyMap<string, EnvironmentUse>, environment: string): EnvironmentUse {
  return uses.get(environment) ?? { projects: 0, tokens: 0, enabledFlags: 0 };
}

interface Count {
  readonly environment: string;
  readonly n: number;
}

function countProjects(db: Db, project: string | undefined): Promise<Count[]> {
  let query = db
    .selectFrom('project_environments')
    .select((eb) => ['environment', eb.fn.countAll<number>().as('n')])
    .groupBy('environment');
  if (project !== undefined) query = query.where('project', '=', project);
  return query.execute();
}

/** A token without rows of its own projects opens all of them. */
function countTokens(db: Db, project: string | undefined): Promise<Count[]> {
  let query = db
    .selectFrom('api_tokens as t')
    .where('t.type', '<>', 'admin')
    .select((eb) => ['t.environment', eb.fn.countAll<number>().as('n')])
    .groupBy('t.environment');
  if (project !== undefined) {
    query = query.where((eb) => {
      const limits = eb.selectFrom('api_token_projects as p').whereRef('p.token_id', '=', 't.id').select('p.project');
      return eb.or([eb.exists(limits.where('p.project', '=', project)), eb.not(eb.exists(limits))]);
    });
  }
  return query.execute();
}

function countEnabledFlags(db: Db, project: string | undefined): Promise<Count[]> {
  let query = db
    .selectFrom('feature_environments as e')
    .innerJoin('features as f', 'f.name', 'e.feature_name')
    .where('e.enabled', '=', 1)
    .where('f.archived_at', 'is', null)
    .select((eb) => ['e.environment', eb.fn.countAll<number>().as('n')])
    .groupBy('e.environment');
  if (project !== undefined) query = query.where('f.project', '=', project);
  return query.execute();
}

/** Whether a flag that is not archived is on in the environment. */
export async function isInUse(db: Db, environment: string): Promise<boolean> {
  const row = await db
    .selectFrom('feature_environments as e')
    .innerJoin('features as f', 'f.name', 'e.feature_name')
    .where('e.environment', '=', environment)
    .where('e.enabled', '=', 1)
    .where('f.archived_at', 'is', null)
    .select('e.feature_name')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
