import type { legalHoldRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { authorOf } from '#http/request.ts';
import type { Database } from '#storage/database.ts';
import { findLegalHold, setLegalHold } from './legal-hold.ts';

export function legalHoldHandlers({ db, write }: Database): Handlers<typeof legalHoldRoutes> {
  return {
    'GET /api/admin/legal-hold': async () => ({ status: 200, body: await findLegalHold(db) }),
    'POST /api/admin/legal-hold': async ({ body, caller, request }) => {
      await write(authorOf(caller, request), (tx) => setLegalHold(tx, body));
      return { status: 204 };
    },
  };
}
