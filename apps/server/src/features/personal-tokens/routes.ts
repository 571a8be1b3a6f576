import type { personalTokenRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { createToken, deleteToken } from './commands.ts';
import { presentToken } from './personal-token.ts';
import { listTokens } from './store.ts';

export function personalTokenHandlers({ db, write }: Database): Handlers<typeof personalTokenRoutes> {
  return {
    'GET /api/admin/user/tokens': async ({ caller }) => {
      const tokens = await listTokens(db, personOf(caller));
      return { status: 200, body: { pats: tokens.map(presentToken) } };
    },
    'POST /api/admin/user/tokens': async ({ body, caller, request }) => {
      const ownerId = personOf(caller);
      const { token, secret } = await write(authorOf(caller, request), (tx) =>
        createToken(tx, ownerId, body, 'pat-created'),
      );
      return {
        status: 201,
        body: { ...presentToken(token), secret },
        headers: { location: `tokens/${token.id}` },
      };
    },
    'DELETE /api/admin/user/tokens/:id': async ({ params, caller, request }) => {
      const ownerId = personOf(caller);
      await write(authorOf(caller, request), (tx) => deleteToken(tx, ownerId, params.id, 'pat-deleted'));
      return { status: 200 };
    },
  };
}

/** A service account's tokens are an administrator's business, and the other callers are nobody who could own one. */
function personOf(caller: Identity): number {
  if (caller.kind === 'user') return caller.actor.userId;
  throw new Problem('OperationDeniedError', 'Only people have personal access tokens; log in as one.');
}
