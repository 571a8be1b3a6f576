import { mostInstances } from '@yardarm/contract';
import { namesProject, type Reader, readableBy } from '#features/people/token-scopes/index.ts';
import { containsText } from '#storage/event-text-search.ts';
import type { Row } from '#storage/tables.ts';
import type { Db } from '#storage/tx.ts';
import { type Condition, sql } from '#storage/tx.ts';
import { type Application, instanceMs } from './application.ts';
import { fromRow, strategiesColumn } from './store.ts';

/** The filter, page and order of a list of applications. */
export interface Wanted {
  /** A part of the name, case-insensitive. */
  readonly query?: string | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly sortBy?: 'appName' | 'createdAt' | 'lastSeenAt' | undefined;
  readonly sortOrder?: 'asc' | 'desc' | undefined;
}

/** An application that a caller sees, by its own reports or else only by its description. */
export interface ApplicationInView extends Application {
  readonly isInUse: boolean;
}

/** An application evaluates flags of a project in an environment. */
export interface Usage {
  readonly appName: string;
  readonly project: string;
  readonly environment: string;
}

/** The instances of an application in an environment with the same SDK. */
export interface InstanceGroup {
  readonly appName: string;
  readonly environment: string;
  readonly sdkVersion: string | null;
  readonly sdkType: string;
  /** The number of instances that reported recently. */
  readonly recent: number;
  readonly lastSeenAt: number;
}

const columns = { appName: 'a.app_name', createdAt: 'a.first_seen_at', lastSeenAt: 'a.last_seen_at' } as const;

/** Returns a page of the visible applications and their total number, with two statements. */
export async function listApplications(
  db: Db,
  wanted: Wanted,
  hidden: ReadonlySet<string>,
): Promise<{ page: Application[]; total: number }> {
  const where = sql<boolean>`${named(wanted.query)} and ${inView(hidden)}`;
  const direction = wanted.sortOrder ?? 'asc';
  const [rows, count] = await Promise.all([
    db
      .selectFrom('client_applications as a')
      .selectAll()
      .select(viewOf(hidden))
      .where(where)
      .orderBy(columns[wanted.sortBy ?? 'appName'], direction)
      .orderBy('a.app_name', direction)
      .offset(wanted.offset)
      .limit(wanted.limit)
      .execute(),
    db
      .selectFrom('client_applications as a')
      .where(where)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  ]);
  return { page: rows.map(fromView), total: count.n };
}

/** Returns the application, or undefined when there is none or it is not visible. */
export async function findInView(
  db: Db,
  appName: string,
  hidden: ReadonlySet<string>,
): Promise<ApplicationInView | undefined> {
  const row = await db
    .selectFrom('client_applications as a')
    .selectAll()
    .select(viewOf(hidden))
    .where('a.app_name', '=', appName)
    .where(inView(hidden))
    .executeTakeFirst();
  return row && fromView(row);
}

/**
 * Returns the columns that depend on the caller: whether an application is visible by its own reports, and what it
 * reported with tokens of which the caller sees a project; null when the caller sees the projects of all its tokens.
 */
function viewOf(hidden: ReadonlySet<string>) {
  const isReadable = readableBy({ hidden }, 'r.scope');
  const reports = sql`from application_scopes as r where r.app_name = a.app_name`;
  const seen = <T>(value: Fragment) =>
    sql<T | null>`case when exists (select 1 ${reports} and not ${isReadable}) then (${value}) end`;
  return [
    sql<number>`case when ${inUseBy(hidden)} then 1 else 0 end`.as('in_use'),
    seen<number>(sql`select min(r.first_seen_at) ${reports} and ${isReadable}`).as('first_report_at'),
    seen<number>(sql`select max(r.last_seen_at) ${reports} and ${isReadable}`).as('last_report_at'),
    seen<string>(sql`select coalesce((select r.strategies ${reports} and ${isReadable} and r.strategies is not null
      order by r.last_seen_at desc limit 1), '[]')`).as('reported_strategies'),
  ] as const;
}

type Fragment = ReturnType<typeof sql>;

type RowInView = Row<'client_applications'> & {
  readonly in_use: number;
  readonly first_report_at: number | null;
  readonly last_report_at: number | null;
  readonly reported_strategies: string | null;
};

/** Returns the application as the caller sees it: where it is not visible by its own reports, only as described. */
function fromView(row: RowInView): ApplicationInView {
  const application = fromRow(row);
  const isInUse = row.in_use === 1;
  if (!isInUse && application.shown !== null) {
    const { since, ...shown } = application.shown;
    return { ...application, ...shown, announced: true, described: true, createdAt: since, lastSeenAt: since, isInUse };
  }
  const { reported_strategies: strategies, first_report_at: createdAt, last_report_at: lastSeenAt } = row;
  return {
    ...application,
    strategies: strategies === null ? application.strategies : strategiesColumn.parse(strategies, row.app_name),
    createdAt: createdAt ?? application.createdAt,
    lastSeenAt: lastSeenAt ?? application.lastSeenAt,
    isInUse,
  };
}

/** Returns the projects and environments in which the applications evaluate flags, without hidden projects. */
export async function usageOf(db: Db, appNames: readonly string[], hidden: ReadonlySet<string>): Promise<Usage[]> {
  if (appNames.length === 0) return [];
  const rows = await db
    .selectFrom('application_flags as u')
    .innerJoin('features as f', 'f.name', 'u.feature_name')
    .select(['u.app_name as appName', 'f.project', 'u.environment'])
    .distinct()
    .where('u.app_name', 'in', appNames)
    .orderBy('u.app_name')
    .orderBy('f.project')
    .orderBy('u.environment')
    .execute();
  return rows.filter(({ project }) => !hidden.has(project));
}

/** Returns the instances of the applications that a reader may read, grouped by environment and SDK. */
export async function instanceGroups(
  db: Db,
  reader: Reader,
  appNames: readonly string[],
  now: number,
): Promise<InstanceGroup[]> {
  if (appNames.length === 0) return [];
  return db
    .selectFrom('application_instances')
    .select((eb) => [
      'app_name as appName',
      'environment',
      'sdk_version as sdkVersion',
      'sdk_type as sdkType',
      sql<number>`sum(case when last_seen_at >= ${now - instanceMs} then 1 else 0 end)`.as('recent'),
      eb.fn.max('last_seen_at').as('lastSeenAt'),
    ])
    .where('app_name', 'in', appNames)
    .where(instancesFor(reader))
    .groupBy(['app_name', 'environment', 'sdk_version', 'sdk_type'])
    .orderBy('app_name')
    .orderBy('environment')
    .orderBy('lastSeenAt', 'desc')
    .execute();
}

/** Returns the visible flags that an application evaluates, with their projects. */
export async function flagsOf(db: Db, appName: string, hidden: ReadonlySet<string>) {
  const rows = await db
    .selectFrom('application_flags as u')
    .innerJoin('features as f', 'f.name', 'u.feature_name')
    .select(['f.name', 'f.project'])
    .distinct()
    .where('u.app_name', '=', appName)
    .execute();
  return rows.filter(({ project }) => !hidden.has(project));
}

/** Returns the members of `names` that are not defined as strategies. */
export async function missingStrategies(db: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await db.selectFrom('strategies').select('name').where('name', 'in', names).execute();
  const known = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/**
 * Returns the recently seen instances of an application, or of one of its environments, that a reader may read, most
 * recent first.
 */
export async function recentInstances(
  db: Db,
  reader: Reader,
  { appName, environment }: { readonly appName: string; readonly environment?: string },
  now: number,
  most: number,
) {
  let instances = db
    .selectFrom('application_instances')
    .selectAll()
    .where('app_name', '=', appName)
    .where(instancesFor(reader));
  if (environment !== undefined) instances = instances.where('environment', '=', environment);
  return instances
    .where('last_seen_at', '>=', now - instanceMs)
    .orderBy('last_seen_at', 'desc')
    .orderBy('instance_id')
    .limit(most)
    .execute();
}

/** An instance id or SDK of an application, and the total number of its instance ids or SDKs. */
export interface Seen {
  readonly appName: string;
  readonly value: string;
  readonly total: number;
}

/**
 * Returns the instance ids or SDKs of applications in the environments of `usage` that a reader may read: at most
 * {@link mostInstances} for each application, the most recently seen. One statement.
 */
export async function seenOf(
  db: Db,
  reader: Reader,
  column: 'instance_id' | 'sdk_version',
  usage: readonly Usage[],
  now: number,
): Promise<Seen[]> {
  if (usage.length === 0) return [];
  const places = [...Map.groupBy(usage, ({ environment }) => environment)];
  const ranked = db
    .selectFrom('application_instances')
    .where(instancesFor(reader))
    .where((eb) =>
      eb.or(
        places.map(([environment, some]) =>
          eb.and([
            eb('environment', '=', environment),
            eb(
              'app_name',
              'in',
              some.map(({ appName }) => appName),
            ),
          ]),
        ),
      ),
    )
    .where('last_seen_at', '>=', now - instanceMs)
    .where(column, 'is not', null)
    .groupBy(['app_name', column])
    .select((eb) => [
      'app_name as appName',
      eb.ref(column).$castTo<string>().as('value'),
      sql<number>`row_number() over (partition by app_name order by max(last_seen_at) desc, ${sql.ref(column)})`.as(
        'place',
      ),
      sql<number>`count(*) over (partition by app_name)`.as('total'),
    ]);
  return db
    .selectFrom(ranked.as('r'))
    .select(['r.appName', 'r.value', 'r.total'])
    .where('r.place', '<=', mostInstances)
    .orderBy('r.appName')
    .orderBy('r.value')
    .execute();
}

/** Returns the recently used SDKs with the visible applications that use them, optionally of one project. */
export async function sdksInUse(db: Db, now: number, hidden: ReadonlySet<string>, project?: string) {
  const ofProject =
    project === undefined
      ? sql<boolean>`1 = 1`
      : sql<boolean>`exists (select 1 from application_flags as u join features as f on f.name = u.feature_name
          where u.app_name = a.app_name and f.project = ${project} and f.archived_at is null)`;
  return db
    .selectFrom('application_instances as i')
    .innerJoin('client_applications as a', 'a.app_name', 'i.app_name')
    .select((eb) => [eb.ref('i.sdk_version').$notNull().as('sdkVersion'), 'i.app_name as appName'])
    .distinct()
    .where('i.sdk_version', 'is not', null)
    .where('i.last_seen_at', '>=', now - instanceMs)
    .where(inUseBy(hidden))
    .where(readableBy(project === undefined ? { hidden } : { project }, 'i.scope'))
    .where(ofProject)
    .orderBy('i.sdk_version')
    .orderBy('i.app_name')
    .execute();
}

/** Returns a page of the names of applications that evaluate flags of a project, and their total number. */
export async function applicationsOfProject(db: Db, project: string, wanted: Wanted) {
  const using = db
    .selectFrom('application_flags as u')
    .innerJoin('features as f', 'f.name', 'u.feature_name')
    .innerJoin('client_applications as a', 'a.app_name', 'u.app_name')
    .where('f.project', '=', project)
    .where('f.archived_at', 'is', null)
    .where(named(wanted.query));
  const direction = wanted.sortOrder ?? 'asc';
  const [names, count] = await Promise.all([
    using
      .select('a.app_name')
      .groupBy(['a.app_name', 'a.first_seen_at', 'a.last_seen_at'])
      .orderBy(columns[wanted.sortBy ?? 'appName'], direction)
      .orderBy('a.app_name', direction)
      .offset(wanted.offset)
      .limit(wanted.limit)
      .execute(),
    using.select((eb) => eb.fn.count<number>('a.app_name').distinct().as('n')).executeTakeFirstOrThrow(),
  ]);
  return { names: names.map((row) => row.app_name), total: count.n };
}

function named(query: string | undefined): Condition {
  if (query === undefined || query === '') return sql<boolean>`1 = 1`;
  return containsText(sql`a.app_name`, query);
}

/**
 * Returns the condition of visible applications: those that evaluate a flag of a visible project, that have reported
 * with a token which names one, or that a person described who sees no more of them. Of the others, those that evaluate
 * flags of hidden projects, or have reported only with tokens of hidden projects, are hidden.
 */
function inView(hidden: ReadonlySet<string>): Condition {
  if (hidden.size === 0) return sql<boolean>`1 = 1`;
  return sql<boolean>`(${inUseBy(hidden)} or a.shown is not null)`;
}

/** Returns the condition of the instances that a reader may read, of applications that the reader sees. */
function instancesFor(reader: Reader): Condition {
  const isReadable = readableBy(reader, 'application_instances.scope');
  if (!('hidden' in reader) || reader.hidden.size === 0) return isReadable;
  return sql<boolean>`(${isReadable} and exists (select 1 from client_applications as a
    where a.app_name = application_instances.app_name and ${inUseBy(reader.hidden)}))`;
}

/** Returns the condition that an application, `a`, is visible by its own reports. */
export function inUseBy(hidden: ReadonlySet<string>): Condition {
  if (hidden.size === 0) return sql<boolean>`1 = 1`;
  const evaluates = (among: Condition) => sql<boolean>`exists (select 1 from application_flags as u
    join features as f on f.name = u.feature_name where u.app_name = a.app_name and ${among})`;
  const reported = (among: Condition) => sql<boolean>`exists (select 1 from application_scopes as r
    where r.app_name = a.app_name and ${among})`;
  const names = sql.join([...hidden]);
  const isOpen = sql<boolean>`(${reported(sql<boolean>`r.scope = '*'`)} or not ${reported(sql<boolean>`1 = 1`)})`;
  return sql<boolean>`(${evaluates(sql<boolean>`f.project not in (${names})`)}
    or ${reported(namesProject({ hidden }, 'r.scope'))}
    or (${isOpen} and not ${evaluates(sql<boolean>`f.project in (${names})`)}))`;
}
