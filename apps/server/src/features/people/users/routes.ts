import type { userRoutes } from '@yardarm/contract';
import {
  type Account,
  listAccounts,
  listRootRoles,
  presentAccount,
  presentRole,
} from '#features/people/access/index.ts';
import type { Sessions } from '#features/people/sessions/index.ts';
import { invitationMail, type SendToUser } from '#features/platform/email/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { hashPassword } from './password-hash.ts';
import { requireUnusedPassword } from './password-history.ts';
import { createPasswordLink } from './password-link.ts';
import { requireGoodPassword } from './password-rules.ts';
import { countAdmins, searchUsers } from './store.ts';

const minSearchLength = 2;
const maxFound = 100;

export interface UserRoutesOptions {
  readonly sessions: Pick<Sessions, 'count'>;
  /** Returns the address that people use (UNLEASH_URL). */
  readonly publicUrl: () => string;
  readonly sendToUser: SendToUser;
  /** Rate limit of created users by client address (docs/spec#users). */
  readonly limit: RateLimit;
}

export function userHandlers(
  { db, write }: Database,
  { sessions, publicUrl, limit, sendToUser }: UserRoutesOptions,
): Handlers<typeof userRoutes> {
  const present = async (user: Account) => {
    const open = await sessions.count(user.id);
    return { ...presentAccount(user), activeSessions: open.get(user.id) ?? 0 };
  };
  return {
    'GET /api/admin/user-admin': async () => {
      const [users, open, roles] = await Promise.all([listAccounts(db, 'user'), sessions.count(), listRootRoles(db)]);
      const shown = users.map((user) => ({ ...presentAccount(user), activeSessions: open.get(user.id) ?? 0 }));
      return { body: { users: shown, rootRoles: roles.map(presentRole) } };
    },
    'POST /api/admin/user-admin': async ({ body, author, caller, request }) => {
      await limit.spend(request.clientAddress);
      const passwordHash = body.password === undefined ? null : await hashValidPassword(body.password);
      const { user, secret } = await write(author, async (tx) => {
        const created = await commands.createUser(tx, body, passwordHash);
        const link = passwordHash === null ? await createPasswordLink(tx, created.id) : undefined;
        return { user: created, secret: link };
      });
      const invited = secret === undefined ? {} : { inviteLink: `${publicUrl()}/new-user?token=${secret}` };
      const mail = invitationMail(invited.inviteLink ?? publicUrl(), caller.actor.name, secret === undefined);
      const emailSent = body.sendEmail !== false && sendToUser(user.email, mail);
      return {
        body: { ...presentAccount(user), activeSessions: 0, emailSent, ...invited },
        headers: { location: String(user.id) },
      };
    },
    'GET /api/admin/user-admin/admin-count': async () => ({ body: await countAdmins(db) }),
    'POST /api/admin/user-admin/validate-password': async ({ body }) => {
      requireGoodPassword(body.password);
    },
    'GET /api/admin/user-admin/search': async ({ query }) => {
      const words = query.q?.trim() ?? '';
      const found = words.length < minSearchLength ? [] : await searchUsers(db, words, maxFound);
      return { body: found.map(presentAccount) };
    },
    'GET /api/admin/user-admin/:id': async ({ params }) => ({
      body: await present(await commands.requireUser(db, params.id)),
    }),
    'PUT /api/admin/user-admin/:id': async ({ params, body, author }) => {
      const user = await write(author, (tx) => commands.updateUser(tx, params.id, body));
      return { body: await present(user) };
    },
    'DELETE /api/admin/user-admin/:id': async ({ params, author }) =>
      write(author, (tx) => commands.deleteUser(tx, params.id)),
    'POST /api/admin/user-admin/:id/change-password': async ({ params, body, author, caller }) => {
      // Answers 404 before the expensive hash is computed; the command checks again.
      await commands.requireUser(db, params.id);
      requireGoodPassword(body.password);
      await requireUnusedPassword(db, params.id, body.password);
      const passwordHash = await hashPassword(body.password);
      await write(author, (tx) =>
        commands.setPassword(tx, params.id, passwordHash, {
          keepSession: caller.sessionId,
          revokeTokens: body.revokeTokens ?? true,
        }),
      );
    },
  };
}

async function hashValidPassword(password: string): Promise<string> {
  requireGoodPassword(password);
  return hashPassword(password);
}
