import type { personalTokenRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import { createToken, deleteToken, requireLifeWithin } from './commands.ts';
import { presentToken } from './personal-token.ts';
import { listTokens } from './store.ts';

/** Serves the tokens of the caller. A new token lives for at most `maxDays` days; 0 sets no limit. */
export function personalTokenHandlers({ db, write }: Database, maxDays: number): Handlers<typeof personalTokenRoutes> {
  return {
    'GET /api/admin/user/tokens': async ({ caller }) => {
      const tokens = await listTokens(db, userIdOf(caller));
      return { body: { pats: tokens.map(presentToken) } };
    },
    'POST /api/admin/user/tokens': async ({ body, author, caller }) => {
      const ownerId = userIdOf(caller);
      const { token, secret } = await write(author, (tx) => {
        requireLifeWithin(maxDays, body.expiresAt, tx.now);
        return createToken(tx, ownerId, body, 'pat-created');
      });
      return {
        body: { ...presentToken(token), secret },
        headers: { location: `tokens/${token.id}` },
      };
    },
    'DELETE /api/admin/user/tokens/:id': async ({ params, author, caller }) => {
      const ownerId = userIdOf(caller);
      await write(author, (tx) => deleteToken(tx, ownerId, params.id, 'pat-deleted'));
    },
  };
}

/**
 * Returns the user id of the caller. Rejects with 403 when the caller is not a user: administrators manage the tokens
 * of service accounts.
 */
function userIdOf(caller: Identity): number {
  if (caller.kind === 'user') return caller.actor.userId;
  throw new Problem('OperationDeniedError', 'Only users have personal tokens. Log in as a user.');
}
