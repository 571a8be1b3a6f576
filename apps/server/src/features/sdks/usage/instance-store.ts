import { saveScopes } from '#features/people/token-scopes/index.ts';
import { strategiesColumn } from '#features/sdks/applications/index.ts';
import { sql, type Tx } from '#storage/tx.ts';
import { type Instance, instanceKey } from './instances.ts';

const rowsPerStatement = 500;
/** The maximum number of stored instances of one application, in all environments. */
const maxInstances = 2000;

/**
 * Stores instances and updates their applications, in the order of their keys, so that two processes cannot deadlock.
 */
export async function saveInstances(tx: Tx, instances: readonly Instance[]): Promise<void> {
  const sorted = instances.toSorted((a, b) => compare(instanceKey(a), instanceKey(b)));
  await touchApplications(tx, sorted);
  await saveScopes(
    tx,
    sorted.map(({ scope }) => scope),
  );
  await touchScopes(tx, sorted);
  const rows = sorted.flatMap(toRow);
  for (let i = 0; i < rows.length; i += rowsPerStatement) {
    await tx.db
      .insertInto('application_instances')
      .values(rows.slice(i, i + rowsPerStatement))
      .onConflict((conflict) =>
        conflict.columns(['app_name', 'instance_id', 'environment', 'scope']).doUpdateSet({
          last_seen_at: sql`excluded.last_seen_at`,
          sdk_version: sql`coalesce(excluded.sdk_version, application_instances.sdk_version)`,
          started_at: sql`coalesce(excluded.started_at, application_instances.started_at)`,
          address: sql`coalesce(excluded.address, application_instances.address)`,
          sdk_type: sql`excluded.sdk_type`,
        }),
      )
      .execute();
  }
}

/**
 * Updates the last-seen time of applications, and the strategies of those that registered. Inserts an application again
 * when it was deleted in the meantime.
 */
async function touchApplications(tx: Tx, instances: readonly Instance[]): Promise<void> {
  const rows = [...Map.groupBy(instances, ({ appName }) => appName)].map(([app_name, group]) => {
    const strategies = group.findLast((instance) => instance.strategies !== null)?.strategies;
    const at = Math.max(...group.map((instance) => instance.seenAt));
    const announced = Number(strategies !== undefined);
    return {
      app_name,
      first_seen_at: at,
      last_seen_at: at,
      strategies: strategiesColumn.write(strategies ?? []),
      announced,
    };
  });
  for (let i = 0; i < rows.length; i += rowsPerStatement) {
    await tx.db
      .insertInto('client_applications')
      .values(rows.slice(i, i + rowsPerStatement).map((row) => ({ ...row, described: 0 })))
      .onConflict((conflict) =>
        conflict.column('app_name').doUpdateSet({
          last_seen_at: sql`case when excluded.last_seen_at > client_applications.last_seen_at
            then excluded.last_seen_at else client_applications.last_seen_at end`,
          strategies: sql`case when excluded.announced = 1
            then excluded.strategies else client_applications.strategies end`,
          announced: sql`case when excluded.announced = 1 then 1 else client_applications.announced end`,
        }),
      )
      .execute();
  }
}

/** Stores what the applications have reported with which scopes, in the order of the keys. */
async function touchScopes(tx: Tx, instances: readonly Instance[]): Promise<void> {
  const rows = [...Map.groupBy(instances, ({ appName, scope }) => JSON.stringify([appName, scope.id]))]
    .toSorted(([a], [b]) => compare(a, b))
    .flatMap(([, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      const last_seen_at = Math.max(...group.map(({ seenAt }) => seenAt));
      const strategies = group.findLast((instance) => instance.strategies !== null)?.strategies;
      return [
        {
          app_name: first.appName,
          scope: first.scope.id,
          first_seen_at: last_seen_at,
          last_seen_at,
          strategies: strategies == null ? null : strategiesColumn.write(strategies),
        },
      ];
    });
  for (let i = 0; i < rows.length; i += rowsPerStatement) {
    await tx.db
      .insertInto('application_scopes')
      .values(rows.slice(i, i + rowsPerStatement))
      .onConflict((conflict) =>
        conflict.columns(['app_name', 'scope']).doUpdateSet({
          last_seen_at: sql`excluded.last_seen_at`,
          strategies: sql`coalesce(excluded.strategies, application_scopes.strategies)`,
        }),
      )
      .execute();
  }
}

/** Deletes the instances that were not seen for longest from applications that have more than {@link maxInstances}. */
export async function trimInstances(tx: Tx, appNames: ReadonlySet<string>): Promise<void> {
  const names = [...appNames];
  for (let i = 0; i < names.length; i += rowsPerStatement) {
    const crowded = await tx.db
      .selectFrom('application_instances')
      .select((eb) => ['app_name', eb.fn.countAll<number>().as('n')])
      .where('app_name', 'in', names.slice(i, i + rowsPerStatement))
      .groupBy('app_name')
      .having((eb) => eb(eb.fn.countAll<number>(), '>', maxInstances))
      .orderBy('app_name')
      .execute();
    for (const { app_name, n } of crowded) await deleteOldest(tx, app_name, n - maxInstances);
  }
}

async function deleteOldest(tx: Tx, appName: string, count: number): Promise<void> {
  const key = ['app_name', 'instance_id', 'environment', 'scope'] as const;
  await tx.db
    .deleteFrom('application_instances')
    .where((eb) =>
      eb(
        eb.refTuple(...key),
        'in',
        eb
          .selectFrom('application_instances')
          .select(key)
          .where('app_name', '=', appName)
          .orderBy('last_seen_at')
          .limit(count)
          .$asTuple(...key),
      ),
    )
    .execute();
}

function toRow(instance: Instance) {
  if (instance.instanceId === null) return [];
  return [
    {
      app_name: instance.appName,
      instance_id: instance.instanceId,
      environment: instance.environment,
      scope: instance.scope.id,
      sdk_version: instance.sdkVersion,
      started_at: instance.startedAt,
      last_seen_at: instance.seenAt,
      sdk_type: instance.sdkType,
      address: instance.address,
    },
  ];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
