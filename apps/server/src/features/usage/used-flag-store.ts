import type { Row } from '../../storage/tables.ts';
import { sql, type Tx } from '../../storage/tx.ts';
import { knownApplications } from '../applications/index.ts';
import { knownFlags } from './known-flags.ts';

/** A flag that an application evaluates in an environment, and the time of the last evaluation in milliseconds UTC. */
export interface UsedFlag {
  readonly appName: string;
  readonly environment: string;
  readonly featureName: string;
  readonly seenAt: number;
}

const rowsPerStatement = 500;
/** The maximum number of stored rows of unknown flags. Reporters can invent names, so only the latest are kept. */
const maxUnknown = 5000;

/**
 * Stores which flags applications evaluate. Skips unknown applications. Flags that do not exist go into a separate
 * table with a limit. Returns the rows that were not skipped.
 */
export async function saveUsedFlags(tx: Tx, used: readonly UsedFlag[]): Promise<readonly UsedFlag[]> {
  const applications = await knownApplications(tx.db, distinct(used.map(({ appName }) => appName)));
  const accepted = used.filter(({ appName }) => applications.has(appName));
  const flags = await knownFlags(tx.db, distinct(accepted.map(({ featureName }) => featureName)));
  const { known = [], unknown = [] } = Object.groupBy(accepted, ({ featureName }) =>
    flags.has(featureName) ? 'known' : 'unknown',
  );
  await save(tx, 'application_flags', known);
  if (unknown.length > 0) {
    await save(tx, 'unknown_flags', unknown.slice(0, maxUnknown));
    await trimUnknown(tx);
  }
  return accepted;
}

/** Writes rows in the order of their keys, so that two processes cannot deadlock. */
async function save(tx: Tx, table: 'application_flags' | 'unknown_flags', used: readonly UsedFlag[]): Promise<void> {
  const rows = used
    .map(({ featureName, appName, environment, seenAt }) => ({
      feature_name: featureName,
      app_name: appName,
      environment,
      last_seen_at: seenAt,
    }))
    .toSorted((a, b) => compare(keyOf(a), keyOf(b)));
  for (let i = 0; i < rows.length; i += rowsPerStatement) {
    await tx.db
      .insertInto(table)
      .values(rows.slice(i, i + rowsPerStatement))
      .onConflict((conflict) =>
        conflict
          .columns(['feature_name', 'app_name', 'environment'])
          .doUpdateSet({ last_seen_at: sql`excluded.last_seen_at` }),
      )
      .execute();
  }
}

async function trimUnknown(tx: Tx): Promise<void> {
  const { n } = await tx.db
    .selectFrom('unknown_flags')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (n <= maxUnknown) return;
  const key = ['feature_name', 'app_name', 'environment'] as const;
  await tx.db
    .deleteFrom('unknown_flags')
    .where((eb) =>
      eb(
        eb.refTuple(...key),
        'in',
        eb
          .selectFrom('unknown_flags')
          .select(key)
          .orderBy('last_seen_at')
          .limit(n - maxUnknown)
          .$asTuple(...key),
      ),
    )
    .execute();
}

function keyOf(row: Pick<Row<'application_flags'>, 'feature_name' | 'app_name' | 'environment'>) {
  return JSON.stringify([row.feature_name, row.app_name, row.environment]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
