import { newId } from '#kernel/ids.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { insertStrategies, listStrategies } from './store.ts';

/** The number of flags whose strategies are copied together. It bounds the memory that a copy needs. */
const pageSize = 500;

/** Copies the strategies of the projects' flags in an environment to another environment in which they have none. */
export async function copyStrategies(
  tx: Tx,
  { from, to, projects }: { readonly from: string; readonly to: string; readonly projects: readonly string[] },
): Promise<void> {
  for (let after = ''; ; ) {
    const names = await flagsWithStrategies(tx.db, { environment: from, projects, after });
    const last = names.at(-1);
    if (last === undefined) return;
    const strategies = await listStrategies(tx.db, names, from);
    await insertStrategies(
      tx,
      strategies.map((strategy) => ({ ...strategy, id: newId(), environment: to, createdAt: tx.now })),
    );
    after = last;
  }
}

async function flagsWithStrategies(
  db: Db,
  { environment, projects, after }: { environment: string; projects: readonly string[]; after: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .where('s.environment', '=', environment)
    .where('f.project', 'in', projects)
    .where('s.feature_name', '>', after)
    .select('s.feature_name')
    .distinct()
    .orderBy('s.feature_name')
    .limit(pageSize)
    .execute();
  return rows.map((row) => row.feature_name);
}
