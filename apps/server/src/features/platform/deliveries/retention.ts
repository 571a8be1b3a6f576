import { type IsOnHold, retentionJob } from '#jobs/retention.ts';
import type { JobKind } from '#jobs/runner.ts';
import { sql, type Tx } from '#storage/tx.ts';

/** The number of days that settled deliveries and attempts are kept. */
const retentionDays = 30;
/** The number of settled deliveries, and of attempts, that are kept for each integration. */
const maxRows = 10_000;

/** Deletes old deliveries and attempts, and those beyond the number that is kept for each integration. */
export function deliveryRetention(isOnHold: IsOnHold): JobKind {
  const byAge = retentionJob(
    'integration-log-retention',
    [
      { table: 'delivery_attempts', column: 'attempted_at', days: retentionDays },
      {
        table: 'deliveries',
        column: 'settled_at',
        days: retentionDays,
        only: sql<boolean>`integration_id is not null`,
      },
    ],
    isOnHold,
  );
  return {
    ...byAge,
    run: async (tx, payload) => {
      if (!(await isOnHold(tx.db))) await deleteBeyondLimit(tx);
      return byAge.run(tx, payload);
    },
  };
}

async function deleteBeyondLimit(tx: Tx): Promise<void> {
  const integrations = await tx.db.selectFrom('integrations').select('id').execute();
  for (const { id } of integrations) {
    for (const [table, only] of [
      ['deliveries', sql`state <> 'waiting'`],
      ['delivery_attempts', sql`1 = 1`],
    ] as const)
      await sql`delete from ${sql.table(table)} where integration_id = ${id} and ${only} and id <= (
        select id from ${sql.table(table)} where integration_id = ${id} and ${only}
        order by id desc limit 1 offset ${maxRows})`.execute(tx.db);
  }
}
