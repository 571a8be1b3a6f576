import type { JobKind } from '#jobs/runner.ts';
import type { Database } from '#storage/database.ts';
import { sql, type Tx } from '#storage/tx.ts';
import { cappedSum } from './count-store.ts';
import { dayMs, hourlyMs, hourMs } from './counts.ts';

/** Adds hourly counts older than {@link hourlyMs} to the daily counts, one hour per run. */
export function rollUpCounts(engine: Database['engine']): JobKind {
  return {
    kind: 'usage-roll-up',
    recurring: true,
    run: async (tx) => {
      const { oldest } = await tx.db
        .selectFrom('client_metrics')
        .select((eb) => eb.fn.min('hour').as('oldest'))
        .executeTakeFirstOrThrow();
      if (oldest === null || oldest > tx.now - hourlyMs) return tx.now + hourMs;
      await moveHour(tx, engine, oldest);
      return tx.now;
    },
  };
}

async function moveHour(tx: Tx, engine: Database['engine'], hour: number): Promise<void> {
  const day = hour - (hour % dayMs);
  const keyColumns = sql`feature_name, environment, day, app_name`;
  const keyValues = sql`feature_name, environment, ${day}, app_name`;
  await moveRows(
    'client_metrics',
    (rows) => sql`insert into client_metrics_daily (${keyColumns}, yes, no)
      select ${keyValues}, yes, no from ${rows}
      on conflict (${keyColumns}) do update set yes = ${cappedSum('client_metrics_daily.yes', 'excluded.yes')},
        no = ${cappedSum('client_metrics_daily.no', 'excluded.no')}`,
  );
  await moveRows(
    'client_metric_variants',
    (rows) => sql`insert into client_metric_variants_daily (${keyColumns}, variant, count)
      select ${keyValues}, variant, count from ${rows}
      on conflict (${keyColumns}, variant) do update
        set count = ${cappedSum('client_metric_variants_daily.count', 'excluded.count')}`,
  );

  async function moveRows(from: 'client_metrics' | 'client_metric_variants', insert: (rows: Fragment) => Fragment) {
    const ofHour = sql`from ${sql.table(from)} where hour = ${hour}`;
    if (engine === 'postgres') {
      // One statement: other processes store counts meanwhile, and a second one would delete more than was copied.
      await sql`with moved as (delete ${ofHour} returning *) ${insert(sql`moved`)}`.execute(tx.db);
    } else {
      // The "where true" keeps SQLite from reading "on conflict" as the condition of a join.
      await insert(sql`(select * ${ofHour}) where true`).execute(tx.db);
      await sql`delete ${ofHour}`.execute(tx.db);
    }
  }
}

type Fragment = ReturnType<typeof sql>;
