import type { inviteLinkRoutes } from '@yardarm/contract';
import { presentAccount, requireRootRole, viewerRoleId } from '#features/people/access/index.ts';
import { hashPassword, requireGoodPassword } from '#features/people/users/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import { publicAuthorOf } from '#http/request.ts';
import { systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { firstOf } from '#kernel/lists.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { type InviteLinkView, inviteUrl, presentInviteLink } from './invite-link.ts';
import { listLinks } from './store.ts';

export interface InviteLinkRoutesOptions {
  readonly clock: Clock;
  /** Returns the address that people use (UNLEASH_URL). */
  readonly publicUrl: () => string;
  /** Rate limit of sign-ups by client address: each costs the hash of a password. */
  readonly limit: RateLimit;
}

export function inviteLinkHandlers(
  { db, write }: Database,
  { clock, publicUrl, limit }: InviteLinkRoutesOptions,
): Handlers<typeof inviteLinkRoutes> {
  const present = async (...links: readonly InviteLinkView[]) => {
    const role = await requireRootRole(db, viewerRoleId);
    return links.map((link) => presentInviteLink(link, role));
  };
  const presentOne = async (link: InviteLinkView) => firstOf(await present(link));
  return {
    'GET /api/admin/invite-link/tokens': async () => ({ body: { tokens: await present(...(await listLinks(db))) } }),
    'POST /api/admin/invite-link/tokens': async ({ body, author }) => {
      const { link, secret } = await write(author, (tx) => commands.createLink(tx, body));
      return {
        body: { ...(await presentOne(link)), secret, url: inviteUrl(secret, publicUrl()) },
        headers: { location: `tokens/${link.id}` },
      };
    },
    'GET /api/admin/invite-link/tokens/:token': async ({ params }) => ({
      body: await presentOne(await commands.requireLink(db, params.token)),
    }),
    'PUT /api/admin/invite-link/tokens/:token': async ({ params, body, author }) => {
      const link = await write(author, (tx) => commands.updateLink(tx, params.token, body));
      return { body: await presentOne(link) };
    },
    'GET /invite/:token/validate': async ({ params, request }) => {
      await limit.spend(request.clientAddress);
      await commands.requireValidLink(db, params.token, clock.now());
    },
    'POST /invite/:token/signup': async ({ params, body, request }) => {
      await limit.spend(request.clientAddress);
      await commands.requireValidLink(db, params.token, clock.now());
      requireGoodPassword(body.password);
      const passwordHash = await hashPassword(body.password);
      const user = await write(publicAuthorOf(systemActor, request), (tx) =>
        commands.signUp(tx, params.token, body, passwordHash),
      );
      return { body: presentAccount(user) };
    },
  };
}
