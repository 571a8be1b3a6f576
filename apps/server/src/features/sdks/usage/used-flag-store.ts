import { holds, saveScopes, type TokenScope } from '#features/people/token-scopes/index.ts';
import { knownApplications } from '#features/sdks/applications/index.ts';
import type { Row } from '#storage/tables.ts';
import { sql, type Tx } from '#storage/tx.ts';
import { projectsOfFlags } from './known-flags.ts';

/** A flag that an application evaluates in an environment, and the time of the last evaluation in milliseconds UTC. */
export interface UsedFlag {
  readonly appName: string;
  readonly environment: string;
  readonly featureName: string;
  /** The scope of the token. */
  readonly scope: TokenScope;
  readonly seenAt: number;
}

const rowsPerStatement = 500;
/** The maximum number of stored rows of unknown flags. Reporters can invent names, so only the latest are kept. */
const maxUnknown = 5000;

/**
 * Stores which flags applications evaluate. Skips unknown applications. Flags that do not exist in the projects of the
 * token go into a separate table with a limit. Returns the rows that were not skipped.
 */
export async function saveUsedFlags(tx: Tx, used: readonly UsedFlag[]): Promise<readonly UsedFlag[]> {
  const applications = await knownApplications(tx.db, distinct(used.map(({ appName }) => appName)));
  const accepted = used.filter(({ appName }) => applications.has(appName));
  const projects = await projectsOfFlags(tx.db, distinct(accepted.map(({ featureName }) => featureName)));
  const { known = [], unknown = [] } = Object.groupBy(accepted, ({ featureName, scope }) =>
    holds(scope, projects.get(featureName)) ? 'known' : 'unknown',
  );
  await saveKnown(tx, known);
  if (unknown.length > 0) {
    await saveScopes(
      tx,
      unknown.map(({ scope }) => scope),
    );
    await saveUnknown(tx, unknown.slice(0, maxUnknown));
    await trimUnknown(tx);
  }
  return accepted;
}

/** Writes rows in the order of their keys, so that two processes cannot deadlock. */
async function saveKnown(tx: Tx, used: readonly UsedFlag[]): Promise<void> {
  const rows = new Map(used.map((flag) => [keyOf(flag), rowOf(flag)]));
  for (const part of chunks([...rows].toSorted(byKey).map(([, row]) => row))) {
    await tx.db
      .insertInto('application_flags')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['feature_name', 'app_name', 'environment'])
          .doUpdateSet({ last_seen_at: sql`excluded.last_seen_at` }),
      )
      .execute();
  }
}

async function saveUnknown(tx: Tx, used: readonly UsedFlag[]): Promise<void> {
  const rows = used.map(
    (flag) => [`${keyOf(flag)}${flag.scope.id}`, { ...rowOf(flag), scope: flag.scope.id }] as const,
  );
  for (const part of chunks(rows.toSorted(byKey).map(([, row]) => row))) {
    await tx.db
      .insertInto('application_unknown_flags')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['feature_name', 'app_name', 'environment', 'scope'])
          .doUpdateSet({ last_seen_at: sql`excluded.last_seen_at` }),
      )
      .execute();
  }
}

async function trimUnknown(tx: Tx): Promise<void> {
  const { n } = await tx.db
    .selectFrom('application_unknown_flags')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (n <= maxUnknown) return;
  const key = ['feature_name', 'app_name', 'environment', 'scope'] as const;
  await tx.db
    .deleteFrom('application_unknown_flags')
    .where((eb) =>
      eb(
        eb.refTuple(...key),
        'in',
        eb
          .selectFrom('application_unknown_flags')
          .select(key)
          .orderBy('last_seen_at')
          .limit(n - maxUnknown)
          .$asTuple(...key),
      ),
    )
    .execute();
}

function rowOf({ featureName, appName, environment, seenAt }: UsedFlag): Row<'application_flags'> {
  return { feature_name: featureName, app_name: appName, environment, last_seen_at: seenAt };
}

function keyOf({ featureName, appName, environment }: UsedFlag): string {
  return JSON.stringify([featureName, appName, environment]);
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function* chunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let i = 0; i < rows.length; i += rowsPerStatement) yield rows.slice(i, i + rowsPerStatement);
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
