import { mostConnections, recentMinutes } from '@yardarm/contract';
import { type Reader, readableBy } from '#features/people/token-scopes/index.ts';
import { isoTime } from '#kernel/clock.ts';
import { type Condition, type Db, sql } from '#storage/tx.ts';

const recentMs = recentMinutes * 60 * 1000;

/** An application in an environment, and the last time it evaluated a flag. */
interface Connection {
  readonly appName: string;
  readonly environment: string;
  readonly sdkVersion: string | null;
  readonly lastSeenAt: number | null;
  readonly evaluatedAt: number | null;
  readonly usesProject: boolean;
}

/**
 * Returns the applications that evaluate a flag, then those that have reported since {@link recentMinutes} and may be
 * applications of its project: at most {@link mostConnections}, each group newest first. Two statements. It reads what
 * is stored, so the path of a poll pays nothing: polls name no flag and are answered before the framework, and a map
 * entry for each would cost as much as a 304. The first evaluation shows when the SDK reports it, after a minute for
 * most.
 */
export async function connectionsOf(
  db: Db,
  { project, featureName }: { readonly project: string; readonly featureName: string },
  now: number,
): Promise<readonly Connection[]> {
  const [evaluating, reporting] = await Promise.all([
    evaluatingApplications(db, { project }, featureName),
    reportingApplications(db, project, now),
  ]);
  const known = new Set(evaluating.map(keyOf));
  return [...evaluating, ...reporting.filter((report) => !known.has(keyOf(report)))].slice(0, mostConnections);
}

async function evaluatingApplications(db: Db, reader: Reader, featureName: string): Promise<Connection[]> {
  const rows = await db
    .selectFrom('application_flags as u')
    .select([
      'u.app_name as appName',
      'u.environment',
      newestOf<string>(reader, 'u', 'sdk_version').as('sdkVersion'),
      newestOf<number>(reader, 'u', 'last_seen_at').as('lastSeenAt'),
      'u.last_seen_at as evaluatedAt',
    ])
    .where('u.feature_name', '=', featureName)
    .orderBy('u.last_seen_at', 'desc')
    .orderBy('u.app_name')
    .limit(mostConnections)
    .execute();
  return rows.map((row) => ({ ...row, usesProject: true }));
}

/**
 * Returns the applications that have reported recently with a token that holds the project, by environment: those that
 * have evaluated a flag of the project in any environment, and those that have evaluated no flag of any project. A
 * first application is one of the latter until its first evaluation.
 */
async function reportingApplications(db: Db, project: string, now: number): Promise<Connection[]> {
  const since = now - recentMs;
  const reader = { project };
  const usesProject = evaluates(sql<boolean>`f.project = ${project}`);
  const candidates = db
    .selectFrom('client_applications as a')
    .select(['a.app_name', sql<number>`case when ${usesProject} then 1 else 0 end`.as('uses_project')])
    .where('a.last_seen_at', '>=', since)
    .where(sql<boolean>`(${usesProject} or not ${evaluates(sql<boolean>`1 = 1`)})`)
    .where(sql<boolean>`exists (select 1 from application_instances as n
      where n.app_name = a.app_name and n.last_seen_at >= ${since} and ${readableBy(reader, 'n.scope')})`)
    .orderBy('a.last_seen_at', 'desc')
    .orderBy('a.app_name')
    .limit(mostConnections);
  const rows = await db
    .selectFrom(candidates.as('c'))
    .innerJoin('application_instances as i', 'i.app_name', 'c.app_name')
    .select((eb) => [
      'i.app_name as appName',
      'i.environment',
      newestOf<string>(reader, 'i', 'sdk_version').as('sdkVersion'),
      eb.fn.max('i.last_seen_at').as('lastSeenAt'),
      'c.uses_project as usesProject',
    ])
    .where('i.last_seen_at', '>=', since)
    .where(readableBy(reader, 'i.scope'))
    .groupBy(['i.app_name', 'i.environment', 'c.uses_project'])
    .orderBy('lastSeenAt', 'desc')
    .orderBy('i.app_name')
    .limit(mostConnections)
    .execute();
  return rows.map((row) => ({ ...row, evaluatedAt: null, usesProject: row.usesProject === 1 }));
}

/** Returns the expression of a column of an application's newest instance in an environment that a reader may read. */
function newestOf<T>(reader: Reader, table: 'u' | 'i', column: 'sdk_version' | 'last_seen_at') {
  return sql<T | null>`(select n.${sql.id(column)} from application_instances as n
    where n.app_name = ${sql.ref(`${table}.app_name`)} and n.environment = ${sql.ref(`${table}.environment`)}
      and n.${sql.id(column)} is not null and ${readableBy(reader, 'n.scope')}
    order by n.last_seen_at desc limit 1)`;
}

/** Returns the condition that the application `a` has evaluated a flag `f` that meets a condition. */
function evaluates(among: Condition): Condition {
  return sql<boolean>`exists (select 1 from application_flags as u join features as f on f.name = u.feature_name
    where u.app_name = a.app_name and ${among})`;
}

function keyOf({ appName, environment }: Connection): string {
  return JSON.stringify([appName, environment]);
}

/** Returns a connection with times in ISO 8601. */
export function presentConnection({ lastSeenAt, evaluatedAt, ...rest }: Connection) {
  return {
    ...rest,
    lastSeenAt: lastSeenAt === null ? null : isoTime(lastSeenAt),
    evaluatedAt: evaluatedAt === null ? null : isoTime(evaluatedAt),
  };
}
