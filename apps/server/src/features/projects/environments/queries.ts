import type { Db } from '#storage/tx.ts';
import type { EnvironmentUse } from './environment.ts';

/** Which uses are counted: uses outside hidden projects, or uses of one project including its tokens. */
export type UseScope = { readonly hidden: ReadonlySet<string> } | { readonly project: string };

/** Returns the uses by environment name, with three statements. Environments without uses are absent. */
export async function environmentUses(db: Db, scope: UseScope): Promise<ReadonlyMap<string, EnvironmentUse>> {
  const [projects, tokens, flags] = await Promise.all([
    countProjects(db, scope),
    countTokens(db, scope),
    countEnabledFlags(db, scope),
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

/** Returns the uses of one environment; zeros when it is absent. */
export function useOf(uses: ReadonlyMap<string, EnvironmentUse>, environment: string): EnvironmentUse {
  return uses.get(environment) ?? { projects: 0, tokens: 0, enabledFlags: 0 };
}

interface Count {
  readonly environment: string;
  readonly n: number;
}

function countProjects(db: Db, scope: UseScope): Promise<Count[]> {
  let query = db
    .selectFrom('project_environments')
    .select((eb) => ['environment', eb.fn.countAll<number>().as('n')])
    .groupBy('environment');
  if ('project' in scope) query = query.where('project', '=', scope.project);
  else if (scope.hidden.size > 0) query = query.where('project', 'not in', [...scope.hidden]);
  return query.execute();
}

/** A token without rows in api_token_projects is valid for all projects. */
function countTokens(db: Db, scope: UseScope): Promise<Count[]> {
  let query = db
    .selectFrom('api_tokens as t')
    .where('t.type', '<>', 'admin')
    .select((eb) => ['t.environment', eb.fn.countAll<number>().as('n')])
    .groupBy('t.environment');
  if (!('project' in scope) && scope.hidden.size === 0) return query.execute();
  query = query.where((eb) => {
    const limits = eb.selectFrom('api_token_projects as p').whereRef('p.token_id', '=', 't.id').select('p.project');
    if (!('project' in scope)) return eb.not(eb.exists(limits.where('p.project', 'in', [...scope.hidden])));
    return eb.or([eb.exists(limits.where('p.project', '=', scope.project)), eb.not(eb.exists(limits))]);
  });
  return query.execute();
}

function countEnabledFlags(db: Db, scope: UseScope): Promise<Count[]> {
  let query = db
    .selectFrom('feature_environments as e')
    .innerJoin('features as f', 'f.name', 'e.feature_name')
    .where('e.enabled', '=', 1)
    .where('f.archived_at', 'is', null)
    .select((eb) => ['e.environment', eb.fn.countAll<number>().as('n')])
    .groupBy('e.environment');
  if ('project' in scope) query = query.where('f.project', '=', scope.project);
  else if (scope.hidden.size > 0) query = query.where('f.project', 'not in', [...scope.hidden]);
  return query.execute();
}

/** Returns whether a flag that is not archived is on, or held other than off, in the environment. */
export async function isInUse(db: Db, environment: string): Promise<boolean> {
  const row = await db
    .selectFrom('feature_environments as e')
    .innerJoin('features as f', 'f.name', 'e.feature_name')
    .leftJoin('feature_leases as h', 'h.id', 'e.lease_id')
    .where('e.environment', '=', environment)
    .where((eb) => eb.or([eb('e.enabled', '=', 1), eb('h.effect', '<>', 'off')]))
    .where('f.archived_at', 'is', null)
    .select('e.feature_name')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
