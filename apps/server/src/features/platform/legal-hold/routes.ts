import type { legalHoldRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { findLegalHold, setLegalHold } from './legal-hold.ts';

export function legalHoldHandlers({ db, write }: Database): Handlers<typeof legalHoldRoutes> {
  return {
    'GET /api/admin/legal-hold': async () => ({ body: await findLegalHold(db) }),
    'POST /api/admin/legal-hold': async ({ body, author }) => write(author, (tx) => setLegalHold(tx, body)),
  };
}
