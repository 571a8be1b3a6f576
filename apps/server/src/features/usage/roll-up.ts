import type { JobKind } from '../../jobs/runner.ts';
import { sql, type Tx } from '../../storage/tx.ts';
import { cappedSum } from './count-store.ts';
import { dayMs, hourlyMs, hourMs } from './counts.ts';

/** Adds hourly counts older than {@link hourlyMs} to the daily counts, one hour per run. */
export const rollUpCounts: JobKind = {
  kind: 'usage-roll-up',
  recurring: true,
  run: async (tx) => {
    const { oldest } = await tx.db
      .selectFrom('client_metrics')
      .select((eb) => eb.fn.min('hour').as('oldest'))
      .executeTakeFirstOrThrow();
    if (oldest === null || oldest > tx.now - hourlyMs) return tx.now + hourMs;
    await moveHour(tx, oldest);
    return tx.now;
  },
};

async function moveHour(tx: Tx, hour: number): Promise<void> {
  const day = hour - (hour % dayMs);
  const keyColumns = sql`feature_name, environment, day, app_name`;
  const keyValues = sql`feature_name, environment, ${day}, app_name`;
  await sql`insert into client_metrics_daily (${keyColumns}, yes, no)
    select ${keyValues}, yes, no from client_metrics where hour = ${hour}
    on conflict (${keyColumns}) do update set yes = ${cappedSum('client_metrics_daily.yes', 'excluded.yes')},
      no = ${cappedSum('client_metrics_daily.no', 'excluded.no')}`.execute(tx.db);
  await sql`insert into client_metric_variants_daily (${keyColumns}, variant, count)
    select ${keyValues}, variant, count from client_metric_variants where hour = ${hour}
    on conflict (${keyColumns}, variant) do update
      set count = ${cappedSum('client_metric_variants_daily.count', 'excluded.count')}`.execute(tx.db);
  await tx.db.deleteFrom('client_metrics').where('hour', '=', hour).execute();
  await tx.db.deleteFrom('client_metric_variants').where('hour', '=', hour).execute();
}
