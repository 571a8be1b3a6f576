import type { Db } from '../../storage/tx.ts';
import type { EnvironmentUse } from './environment.ts';

/** What is counted: all but what belongs to hidden projects, or of one project its flags and the tokens that open it. */
export type Counted = { readonly hidden: ReadonlySet<string> } | { readonly project: string };

/** How much there is in each environment, by its name; one in which there is nothing is absent. Always three statements. */
export async function environmentUses(db: Db, counted: Counted): Promise<ReadonlyMap<string, EnvironmentUse>> {
  const [projects, tokens, flags] = await Promise.all([
    countProjects(db, counted),
    countTokens(db, counted),
    countEnabledFlags(db, counted),
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

function countProjects(db: Db, counted: Counted): Promise<Count[]> {
  let query = db
    .selectFrom('project_environments')
    .select((eb) => ['environment', eb.fn.countAll<number>().as('n')])
    .groupBy('environment');
  if ('project' in counted) query = query.where('project', '=', counted.project);
  else if (counted.hidden.size > 0) query = query.where('project', 'not in', [...counted.hidden]);
  return query.execute();
}

/** A token without rows of its own projects opens all of them. */
function countTokens(db: Db, counted: Counted): Promise<Count[]> {
  let query = db
    .selectFrom('api_tokens as t')
    .where('t.type', '<>', 'admin')
    .select((eb) => ['t.environment', eb.fn.countAll<number>().as('n')])
    .groupBy('t.environment');
  if (!('project' in counted) && counted.hidden.size === 0) return query.execute();
  query = query.where((eb) => {
    const limits = eb.selectFrom('api_token_projects as p').whereRef('p.token_id', '=', 't.id').select('p.project');
    if (!('project' in counted)) return eb.not(eb.exists(limits.where('p.project', 'in', [...counted.hidden])));
    return eb.or([eb.exists(limits.where('p.project', '=', counted.project)), eb.not(eb.exists(limits))]);
  });
  return query.execute();
}

function countEnabledFlags(db: Db, counted: Counted): Promise<Count[]> {
  let query = db
    .selectFrom('feature_environments as e')
    .innerJoin('features as f', 'f.name', 'e.feature_name')
    .where('e.enabled', '=', 1)
    .where('f.archived_at', 'is', null)
    .select((eb) => ['e.environment', eb.fn.countAll<number>().as('n')])
    .groupBy('e.environment');
  if ('project' in counted) query = query.where('f.project', '=', counted.project);
  else if (counted.hidden.size > 0) query = query.where('f.project', 'not in', [...counted.hidden]);
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
