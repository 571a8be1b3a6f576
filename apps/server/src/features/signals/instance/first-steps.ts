import type { firstStepRoutes } from '@yardarm/contract';
import { silenceTokenId } from '#features/signals/signals/index.ts';
import type { Handlers } from '#http/handler.ts';
import { firstOf } from '#kernel/lists.ts';
import type { Database } from '#storage/database.ts';
import { sql } from '#storage/tx.ts';

/** Returns the handler that says which first steps of a new installation have happened. */
export function firstStepHandlers({ db }: Database): Handlers<typeof firstStepRoutes> {
  return { 'GET /api/admin/first-steps': async () => ({ body: await firstSteps(db) }) };
}

/** Reads which steps have been done, in two statements that stop at the first row of each table. */
async function firstSteps(db: Database['db']) {
  const [flag, { rows }] = await Promise.all([
    db
      .selectFrom('features')
      .select(['project', 'name'])
      .where('archived_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('name')
      .limit(1)
      .executeTakeFirst(),
    sql<Record<'connected' | 'signals' | 'runs', number>>`select
      case when exists (select 1 from application_instances)
        or exists (select 1 from api_tokens where type <> 'admin' and seen_at is not null)
        then 1 else 0 end as connected,
      case when exists (select 1 from signals where token_id <> ${silenceTokenId}) then 1 else 0 end as signals,
      case when exists (select 1 from action_runs where state = 'success' and shadow = 0)
        then 1 else 0 end as runs`.execute(db),
  ]);
  const { connected, signals, runs } = firstOf(rows);
  return {
    flag: flag ?? null,
    applicationConnected: connected === 1,
    signalReceived: signals === 1,
    actionRan: runs === 1,
  };
}
