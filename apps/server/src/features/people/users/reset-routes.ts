import type { passwordResetRoutes } from '@yardarm/contract';
import { actorOf, presentRole, requireRootRole } from '#features/people/access/index.ts';
import { passwordResetMail, type SendToUser } from '#features/platform/email/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import { publicAuthorOf } from '#http/request.ts';
import { type Author, anonymousActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import { requireUser, requireUserByEmail, setPassword } from './commands.ts';
import { hashPassword } from './password-hash.ts';
import { requireUnusedPassword } from './password-history.ts';
import { createPasswordLink, requirePasswordLink, usePasswordLink } from './password-link.ts';
import { requireGoodPassword } from './password-rules.ts';
import { findCredentials } from './store.ts';

export interface ResetRoutesOptions {
  readonly clock: Clock;
  /** Returns the address that people use (UNLEASH_URL). */
  readonly publicUrl: () => string;
  /** Rate limit of the e-mails to one address. */
  readonly emailLimit: RateLimit;
  readonly emailEnabled: boolean;
  readonly sendToUser: SendToUser;
  readonly onError: (error: unknown) => void;
  /** Rate limit by client address: each request costs the hash of a password. */
  readonly limit: RateLimit;
}

export function passwordResetHandlers(
  { db, write, writeQuietly }: Database,
  options: ResetRoutesOptions,
): Handlers<typeof passwordResetRoutes> {
  const { clock, publicUrl, limit, emailLimit, emailEnabled, sendToUser, onError } = options;
  const mailLink = async (author: Author, address: string) => {
    const account = (await findCredentials(db, address))?.account;
    if (account?.email !== address) return;
    const secret = await writeQuietly('password links', author, (tx) => createPasswordLink(tx, account.id));
    sendToUser(account.email, passwordResetMail(`${publicUrl()}/reset-password?token=${secret}`));
  };
  return {
    'POST /api/admin/user-admin/reset-password': async ({ body, author, caller }) => {
      const { user, secret } = await writeQuietly('password links', author, async (tx) => {
        const { id } = body;
        const found = typeof id === 'number' ? await requireUser(tx.db, id) : await requireUserByEmail(tx.db, id);
        return { user: found, secret: await createPasswordLink(tx, found.id) };
      });
      const resetPasswordUrl = `${publicUrl()}/reset-password?token=${secret}`;
      const mail = passwordResetMail(resetPasswordUrl, caller.actor.name);
      const emailSent = body.sendEmail !== false && sendToUser(user.email, mail);
      return { body: { resetPasswordUrl, emailSent } };
    },
    'POST /auth/reset/password-email': async ({ body, request }) => {
      if (!emailEnabled)
        throw new Problem('DisabledError', 'No mail server is configured. Ask an administrator for a link.');
      await limit.spend(request.clientAddress);
      await emailLimit.spend(body.email);
      // Not awaited: the time of the answer would reveal whether the account exists.
      mailLink(publicAuthorOf(anonymousActor, request), body.email).catch(onError);
    },
    'GET /auth/reset/validate': async ({ query, request }) => {
      await limit.spend(request.clientAddress);
      const { account, createdBy } = await requirePasswordLink(db, query.token, clock.now());
      const role = presentRole(await requireRootRole(db, account.rootRole));
      const { id, name, email } = account;
      return { body: { id, name, email, token: query.token, createdBy, role } };
    },
    'POST /auth/reset/password': async ({ body, request }) => {
      await limit.spend(request.clientAddress);
      const { account } = await requirePasswordLink(db, body.token, clock.now());
      requireGoodPassword(body.password);
      await requireUnusedPassword(db, account.id, body.password);
      const passwordHash = await hashPassword(body.password);
      await write(publicAuthorOf(actorOf(account), request), async (tx) => {
        // A concurrent request may have used the same link since.
        const link = await requirePasswordLink(tx.db, body.token, tx.now);
        await usePasswordLink(tx, link);
        const { revokeTokens = true } = body;
        await setPassword(tx, account.id, passwordHash, { keepSession: null, revokeTokens, link });
      });
    },
    'POST /auth/reset/validate-password': async ({ body }) => {
      requireGoodPassword(body.password);
    },
  };
}
