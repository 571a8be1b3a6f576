import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Application, Shown } from './application.ts';

/** The names of the strategy types that the SDKs of an application implement. */
export const strategiesColumn = jsonColumn<readonly string[]>('client_applications.strategies', z.array(z.string()));

const shownColumn = jsonColumn<Shown>(
  'client_applications.shown',
  z.object({
    strategies: z.array(z.string()),
    description: z.string().nullable(),
    url: z.string().nullable(),
    color: z.string().nullable(),
    icon: z.string().nullable(),
    since: z.number(),
  }),
);

const namesAtOnce = 500;

export async function findApplication(db: Db, appName: string): Promise<Application | undefined> {
  const row = await db.selectFrom('client_applications').selectAll().where('app_name', '=', appName).executeTakeFirst();
  return row && fromRow(row);
}

/** Returns the members of `names` that are known applications. */
export async function knownApplications(db: Db, names: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let i = 0; i < names.length; i += namesAtOnce) {
    const some = names.slice(i, i + namesAtOnce);
    const rows = await db.selectFrom('client_applications').select('app_name').where('app_name', 'in', some).execute();
    for (const row of rows) known.add(row.app_name);
  }
  return known;
}

/** Counts the applications that were added by reports and that no person has described. */
export async function countReported(db: Db): Promise<number> {
  const row = await db
    .selectFrom('client_applications')
    .where('described', '=', 0)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}

export type NewApplication = Omit<Application, 'shown' | 'createdAt' | 'lastSeenAt'>;

/** Adds an application and records an `application-created` event. */
export async function createApplication(tx: Tx, application: NewApplication): Promise<void> {
  await tx.db
    .insertInto('client_applications')
    .values({
      app_name: application.appName,
      first_seen_at: tx.now,
      last_seen_at: tx.now,
      announced: Number(application.announced),
      ...said(application),
    })
    .execute();
  tx.record({ type: 'application-created', data: eventData(application) });
}

/** Returns the data of an application in events. */
export function eventData({ appName, strategies, description, url, color, icon, described }: NewApplication) {
  return { appName, strategies, description, url, color, icon, described };
}

function said({ strategies, described, description, url, color, icon }: NewApplication) {
  return {
    strategies: strategiesColumn.write(strategies),
    described: Number(described),
    description,
    url,
    color,
    icon,
  };
}

/** Stores the description of an application. */
export async function describe(tx: Tx, application: Application): Promise<void> {
  await tx.db
    .updateTable('client_applications')
    .set({
      ...said(application),
      announced: Number(application.announced),
      shown: application.shown === null ? null : shownColumn.write(application.shown),
    })
    .where('app_name', '=', application.appName)
    .execute();
}

/** Deletes an application with its instances and its evaluated flags. */
export async function deleteApplication(tx: Tx, appName: string): Promise<void> {
  await tx.db.deleteFrom('application_flags').where('app_name', '=', appName).execute();
  await tx.db.deleteFrom('application_unknown_flags').where('app_name', '=', appName).execute();
  await tx.db.deleteFrom('client_applications').where('app_name', '=', appName).execute();
}

export function fromRow(row: Row<'client_applications'>): Application {
  return {
    appName: row.app_name,
    strategies: strategiesColumn.parse(row.strategies, row.app_name),
    description: row.description,
    url: row.url,
    color: row.color,
    icon: row.icon,
    announced: row.announced === 1,
    described: row.described === 1,
    shown: row.shown === null ? null : shownColumn.parse(row.shown, row.app_name),
    createdAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
  };
}
