import type { unknownFlagRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { Db } from '../../storage/tx.ts';
import { sql } from '../../storage/tx.ts';
import { inView } from './queries.ts';

export function unknownFlagHandlers({ db }: Database): Handlers<typeof unknownFlagRoutes> {
  return {
    'GET /api/admin/metrics/unknown-flags': async ({ caller }) => {
      const [reports, changed] = await Promise.all([unknownFlags(db, caller.hidden), lastChanges(db)]);
      return { status: 200, body: { unknownFlags: present(reports, changed) } };
    },
  };
}

interface Report {
  readonly name: string;
  readonly appName: string;
  readonly environment: string;
  readonly seenAt: number;
}

/** Reports of flags that there are not, by applications in view. */
async function unknownFlags(db: Db, hidden: ReadonlySet<string>): Promise<Report[]> {
  return db
    .selectFrom('unknown_flags as u')
    .innerJoin('client_applications as a', 'a.app_name', 'u.app_name')
    .leftJoin('features as f', 'f.name', 'u.feature_name')
    .where('f.name', 'is', null)
    .where(inView(hidden))
    .select(['u.feature_name as name', 'u.app_name as appName', 'u.environment', 'u.last_seen_at as seenAt'])
    .orderBy('u.feature_name')
    .orderBy('u.app_name')
    .orderBy('u.environment')
    .execute();
}

/** When flags of these names last changed: the newest event of each, which the log finds by the name. */
async function lastChanges(db: Database['db']): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{
    name: string;
    at: number;
  }>`select e.feature_name as name, e.created_at as at from events as e
    where e.id in (select (select max(n.id) from events as n where n.feature_name = u.feature_name)
      from (select distinct feature_name from unknown_flags) as u)`.execute(db);
  return new Map(rows.map(({ name, at }) => [name, at]));
}

function present(reports: readonly Report[], changed: ReadonlyMap<string, number>) {
  return [...Map.groupBy(reports, ({ name }) => name)].map(([name, some]) => ({
    name,
    lastSeenAt: isoTime(Math.max(...some.map(({ seenAt }) => seenAt))),
    lastEventAt: isoTimeOrNull(changed.get(name) ?? null),
    reports: [...Map.groupBy(some, ({ appName }) => appName)].map(([appName, there]) => ({
      appName,
      environments: there.map(({ environment, seenAt }) => ({ environment, seenAt: isoTime(seenAt) })),
    })),
  }));
}
