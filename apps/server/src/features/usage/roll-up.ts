import type { JobKind } from '../../jobs/runner.ts';
import { sql, type Tx } from '../../storage/tx.ts';
import { capped } from './count-store.ts';
import { dayMs, hourlyMs, hourMs } from './counts.ts';

/** Adds counts that are too old to be looked at by the hour to those of their day, an hour at a time. */
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
  const place = sql`feature_name, environment, day, app_name`;
  const from = sql`feature_name, environment, ${day}, app_name`;
  await sql`insert into client_metrics_daily (${place}, yes, no)
    select ${from}, yes, no from client_metrics where hour = ${hour}
    on conflict (${place}) do update set yes = ${capped('client_metrics_daily.yes', 'excluded.yes')},
      no = ${capped('client_metrics_daily.no', 'excluded.no')}`.execute(tx.db);
  await sql`insert into client_metric_variants_daily (${place}, variant, count)
    select ${from}, variant, count from client_metric_variants where hour = ${hour}
    on conflict (${place}, variant) do update
      set count = ${capped('client_metric_variants_daily.count', 'excluded.count')}`.execute(tx.db);
  await tx.db.deleteFrom('client_metrics').where('hour', '=', hour).execute();
  await tx.db.deleteFrom('client_metric_variants').where('hour', '=', hour).execute();
}
