import type { serviceAccountRoutes } from '@yardarm/contract';
import {
  type Account,
  listAccounts,
  listRootRoles,
  presentAccount,
  presentRole,
} from '#features/people/access/index.ts';
import { recordControl } from '#features/people/account-control/index.ts';
import {
  createToken,
  deleteToken,
  listTokens,
  listTokensOfKind,
  presentToken,
} from '#features/people/personal-tokens/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';

export function serviceAccountHandlers(database: Database): Handlers<typeof serviceAccountRoutes> {
  const { db, write } = database;
  return {
    'GET /api/admin/service-account': async () => {
      const [accounts, tokens, roles] = await Promise.all([
        listAccounts(db, 'service-account'),
        listTokensOfKind(db, 'service-account'),
        listRootRoles(db),
      ]);
      const byOwner = Map.groupBy(tokens, (token) => token.ownerId);
      const serviceAccounts = accounts.map((account) => present(account, byOwner.get(account.id) ?? []));
      return { body: { serviceAccounts, rootRoles: roles.map(presentRole) } };
    },
    'POST /api/admin/service-account': async ({ body, author }) => {
      const account = await write(author, (tx) => commands.createServiceAccount(tx, body));
      return { body: present(account, []), headers: { location: `service-account/${account.id}` } };
    },
    'PUT /api/admin/service-account/:id': async ({ params, body, author }) => {
      const account = await write(author, (tx) => commands.updateServiceAccount(tx, params.id, body));
      return { body: present(account, await listTokens(db, account.id)) };
    },
    'DELETE /api/admin/service-account/:id': async ({ params, author }) =>
      write(author, (tx) => commands.deleteServiceAccount(tx, params.id)),
    ...tokenHandlers(database),
  };
}

type TokenRoute = Extract<keyof typeof serviceAccountRoutes, `${string}/:id/token${string}`>;

function tokenHandlers({ db, write }: Database): Pick<Handlers<typeof serviceAccountRoutes>, TokenRoute> {
  return {
    'GET /api/admin/service-account/:id/token': async ({ params }) => {
      await commands.requireServiceAccount(db, params.id);
      return { body: { pats: (await listTokens(db, params.id)).map(presentToken) } };
    },
    'POST /api/admin/service-account/:id/token': async ({ params, body, author }) => {
      const { token, secret } = await write(author, async (tx) => {
        const account = await commands.requireServiceAccount(tx.db, params.id);
        await recordControl(tx, account.id, 'service-account');
        return createToken(tx, account.id, body, 'service-account-token-created');
      });
      return { body: { ...presentToken(token), secret }, headers: { location: `token/${token.id}` } };
    },
    'DELETE /api/admin/service-account/:id/token/:tokenId': async ({ params, author }) =>
      write(author, async (tx) => {
        const account = await commands.requireServiceAccount(tx.db, params.id);
        await deleteToken(tx, account.id, params.tokenId, 'service-account-token-deleted');
      }),
  };
}

function present(account: Account, tokens: Awaited<ReturnType<typeof listTokens>>) {
  // Every service account has a user name; only users may lack one.
  return { ...presentAccount(account), username: account.username ?? '', tokens: tokens.map(presentToken) };
}
