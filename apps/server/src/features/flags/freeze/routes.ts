import type { freezeRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { frozenBy, readFreeze, setFreeze } from './freeze.ts';

export function freezeHandlers({ db, write }: Database): Handlers<typeof freezeRoutes> {
  return {
    'GET /api/admin/automation': async () => ({ body: await present(db) }),
    'POST /api/admin/automation': async ({ body, author }) => {
      const desired = { frozen: body.frozen, reason: body.reason ?? null };
      await write(author, (tx) => setFreeze(tx, desired));
      return { body: await present(db) };
    },
  };
}

async function present(db: Db) {
  const freeze = await readFreeze(db);
  const frozen = freeze.frozen ? await frozenBy(db) : undefined;
  return { ...freeze, frozenBy: frozen?.by ?? null, frozenAt: frozen === undefined ? null : isoTime(frozen.at) };
}
