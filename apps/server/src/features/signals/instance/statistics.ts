import type { EventType } from '@yardarm/contract';
import { viewerRoleId } from '#features/people/access/index.ts';
import { firstOf } from '#kernel/lists.ts';
import type { Database } from '#storage/database.ts';
import { firstOfDays } from '#storage/event-days.ts';
import type { Tables } from '#storage/tables.ts';
import { sql } from '#storage/tx.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Counts users, flags, changes and other entities of the instance at `now`, in two statements. */
export async function countInstance({ db }: Pick<Database, 'db'>, now: number) {
  const since = (days: number) => now - days * dayMs;
  const today = now - (now % dayMs);
  // Event counts are stored by day: whole days, including today.
  const changes = (days: number) => sql<number>`(select cast(coalesce(sum(total), 0) as bigint) from event_days
    where scope = 'environment' and name in (select name from environments where type = 'production')
      and day >= ${firstOfDays(days, now)})`;
  const users = (seenSince: number) =>
    sql<number>`(select count(*) from users where kind = 'user' and seen_at >= ${seenSince})`;
  const tokens = (...types: string[]) =>
    sql<number>`(select count(*) from api_tokens where type in (${sql.join(types)}))`;
  const applications = (seenSince: number) =>
    sql<number>`(select count(*) from client_applications where last_seen_at >= ${seenSince})`;
  const yesterday = (table: 'client_metrics' | 'client_metric_variants') =>
    sql<number>`(select count(*) from ${sql.table(table)} where hour >= ${today - dayMs} and hour < ${today})`;
  const all = (table: keyof Tables) => sql<number>`(select count(*) from ${sql.table(table)})`;
  const recorded = (type: EventType) => sql<number>`(select count(*) from events where type = ${type})`;
  const counts = {
    users: sql<number>`(select count(*) from users where kind = 'user')`,
    serviceAccounts: sql<number>`(select count(*) from users where kind = 'service-account')`,
    active7: users(since(7)),
    active30: users(since(30)),
    active60: users(since(60)),
    active90: users(since(90)),
    changes30: changes(30),
    changes60: changes(60),
    changes90: changes(90),
    enabledCount: yesterday('client_metrics'),
    variantCount: yesterday('client_metric_variants'),
    featureToggles: sql<number>`(select count(*) from features where archived_at is null)`,
    archivedFeatureToggles: sql<number>`(select count(*) from features where archived_at is not null)`,
    projects: all('projects'),
    environments: all('environments'),
    strategies: all('feature_strategies'),
    groups: all('user_groups'),
    maxEnvironmentStrategies: sql<number>`(select coalesce(max(n), 0) from (
      select count(*) as n from feature_strategies group by feature_name, environment) as s)`,
    featureExports: recorded('features-exported'),
    featureImports: recorded('features-imported'),
    segments: all('segments'),
    releaseTemplates: all('release_templates'),
    releasePlans: all('release_plans'),
    contextFields: all('context_fields'),
    roles: all('roles'),
    signalEndpoints: all('signal_endpoints'),
    customRootRoles: sql<number>`(select count(*) from roles where type = 'root-custom')`,
    customRootRolesInUse: sql<number>`(select count(*) from roles where type = 'root-custom'
      and id in (select root_role_id from users))`,
    readOnlyUsers: sql<number>`(select count(*) from users where kind = 'user' and root_role_id = ${viewerRoleId})`,
    admin: tokens('admin'),
    backend: tokens('client', 'backend'),
    frontend: tokens('frontend'),
    // Counts the events of new applications: deleted applications are included, and one that came back counts again.
    apps: recorded('application-created'),
    apps30: applications(since(30)),
    apps7: applications(since(7)),
  };
  const columns = Object.entries(counts).map(([name, value]) => sql`${value} as ${sql.id(name)}`);
  const { rows } = await sql<Record<keyof typeof counts, number>>`select ${sql.join(columns)}`.execute(db);
  return firstOf(rows);
}

export type InstanceCounts = Awaited<ReturnType<typeof countInstance>>;
