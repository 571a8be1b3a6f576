import { sql } from 'kysely';
import type { Db, Tx } from '../../storage/tx.ts';
import type { Instance } from './instances.ts';

const rowsAtOnce = 500;

/** Those of `names` that are no application yet. */
export async function unknownApplications(db: Db, names: readonly string[]): Promise<string[]> {
  const known = new Set<string>();
  for (let i = 0; i < names.length; i += rowsAtOnce) {
    const some = names.slice(i, i + rowsAtOnce);
    const rows = await db.selectFrom('client_applications').select('app_name').where('app_name', 'in', some).execute();
    for (const row of rows) known.add(row.app_name);
  }
  return names.filter((name) => !known.has(name));
}

/** Adds an application and tells so: an `application-created` event. */
export async function createApplication(tx: Tx, appName: string, strategies: readonly string[]): Promise<void> {
  await tx.db
    .insertInto('client_applications')
    .values({
      app_name: appName,
      first_seen_at: tx.now,
      last_seen_at: tx.now,
      strategies: JSON.stringify(strategies),
    })
    .execute();
  tx.record({ type: 'application-created', data: { appName, strategies } });
}

/** Writes what is new of instances and their applications, in the order of their keys so that nobody deadlocks. */
export async function saveInstances(tx: Tx, instances: readonly Instance[]): Promise<void> {
  const sorted = instances.toSorted((a, b) => compare(keyOf(a), keyOf(b)));
  for (const [appName, some] of Map.groupBy(sorted, (instance) => instance.appName)) {
    const strategies = some.findLast((instance) => instance.strategies !== null)?.strategies;
    await tx.db
      .updateTable('client_applications')
      .set({
        last_seen_at: Math.max(...some.map((instance) => instance.seenAt)),
        ...(strategies === undefined ? {} : { strategies: JSON.stringify(strategies) }),
      })
      .where('app_name', '=', appName)
      .execute();
  }
  for (let i = 0; i < sorted.length; i += rowsAtOnce) {
    await tx.db
      .insertInto('client_instances')
      .values(sorted.slice(i, i + rowsAtOnce).map(toRow))
      .onConflict((conflict) =>
        conflict.columns(['app_name', 'instance_id', 'environment']).doUpdateSet({
          last_seen_at: sql`excluded.last_seen_at`,
          sdk_version: sql`coalesce(excluded.sdk_version, client_instances.sdk_version)`,
          started_at: sql`coalesce(excluded.started_at, client_instances.started_at)`,
        }),
      )
      .execute();
  }
}

function toRow(instance: Instance) {
  return {
    app_name: instance.appName,
    instance_id: instance.instanceId,
    environment: instance.environment,
    sdk_version: instance.sdkVersion,
    started_at: instance.startedAt,
    last_seen_at: instance.seenAt,
  };
}

function keyOf({ appName, instanceId, environment }: Instance): string {
  return JSON.stringify([appName, instanceId, environment]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
