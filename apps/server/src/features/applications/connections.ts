import { mostConnections, recentMinutes } from '@yardarm/contract';
import { isoTime } from '../../kernel/clock.ts';
import { type Db, sql } from '../../storage/tx.ts';
import { inView } from './queries.ts';

const recentMs = recentMinutes * 60 * 1000;
/**
 * The maximum number of reports that are read to find recent applications. Several reports can be of one application,
 * because each instance reports.
 */
const mostReports = 200;

/** An application in an environment, and the last time it evaluated a flag. */
interface Connection {
  readonly appName: string;
  readonly environment: string;
  readonly sdkVersion: string | null;
  readonly lastSeenAt: number | null;
  readonly evaluatedAt: number | null;
}

/**
 * Returns the applications that evaluate a flag, then those that have reported since {@link recentMinutes}: at most
 * {@link mostConnections}, each group newest first. Two statements.
 */
export async function connectionsOf(
  db: Db,
  featureName: string,
  now: number,
  hidden: ReadonlySet<string>,
): Promise<readonly Connection[]> {
  const [evaluating, reporting] = await Promise.all([
    evaluatingApplications(db, featureName),
    reportingApplications(db, now, hidden),
  ]);
  const known = new Set(evaluating.map(keyOf));
  const others = [...Map.groupBy(reporting, keyOf)].filter(([key]) => !known.has(key)).map(([, reports]) => reports[0]);
  return [...evaluating, ...others.filter((report) => report !== undefined)].slice(0, mostConnections);
}

async function evaluatingApplications(db: Db, featureName: string): Promise<Connection[]> {
  const newest = (column: 'sdk_version' | 'last_seen_at') => sql`(select i.${sql.id(column)} from client_instances as i
    where i.app_name = u.app_name and i.environment = u.environment and i.${sql.id(column)} is not null
    order by i.last_seen_at desc limit 1)`;
  return db
    .selectFrom('application_flags as u')
    .select([
      'u.app_name as appName',
      'u.environment',
      sql<string | null>`${newest('sdk_version')}`.as('sdkVersion'),
      sql<number | null>`${newest('last_seen_at')}`.as('lastSeenAt'),
      'u.last_seen_at as evaluatedAt',
    ])
    .where('u.feature_name', '=', featureName)
    .orderBy('u.last_seen_at', 'desc')
    .orderBy('u.app_name')
    .limit(mostConnections)
    .execute();
}

async function reportingApplications(db: Db, now: number, hidden: ReadonlySet<string>): Promise<Connection[]> {
  const rows = await db
    .selectFrom('client_instances as i')
    .innerJoin('client_applications as a', 'a.app_name', 'i.app_name')
    .select(['i.app_name as appName', 'i.environment', 'i.sdk_version as sdkVersion', 'i.last_seen_at as lastSeenAt'])
    .where('i.last_seen_at', '>=', now - recentMs)
    .where(inView(hidden))
    .orderBy('i.last_seen_at', 'desc')
    .orderBy('i.app_name')
    .limit(mostReports)
    .execute();
  return rows.map((row) => ({ ...row, evaluatedAt: null }));
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
