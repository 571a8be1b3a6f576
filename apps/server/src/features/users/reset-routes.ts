import type { passwordResetRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { authorOf } from '../../http/request.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { actorOf, presentRole, requireRootRole } from '../access/index.ts';
import { requireUser, requireUserByEmail, setPassword } from './commands.ts';
import { hashPassword } from './password-hash.ts';
import { requireUnusedPassword } from './password-history.ts';
import { createPasswordLink, requirePasswordLink, usePasswordLink } from './password-link.ts';
import { requireGoodPassword } from './password-rules.ts';

export interface ResetRoutesOptions {
  readonly clock: Clock;
  /** Returns the address that people use (UNLEASH_URL). */
  readonly publicUrl: () => string;
  /** Rate limit by client address: each request costs the hash of a password. */
  readonly limit: RateLimit;
}

export function passwordResetHandlers(
  { db, write, writeQuietly }: Database,
  { clock, publicUrl, limit }: ResetRoutesOptions,
): Handlers<typeof passwordResetRoutes> {
  return {
    'POST /api/admin/user-admin/reset-password': async ({ body, caller, request }) => {
      const secret = await writeQuietly('password links', authorOf(caller, request), async (tx) => {
        const { id } =
          typeof body.id === 'number' ? await requireUser(tx.db, body.id) : await requireUserByEmail(tx.db, body.id);
        return createPasswordLink(tx, id);
      });
      return { status: 200, body: { resetPasswordUrl: `${publicUrl()}/reset-password?token=${secret}` } };
    },
    'GET /auth/reset/validate': async ({ query, request }) => {
      await limit.spend(request.clientAddress);
      const { account, createdBy } = await requirePasswordLink(db, query.token, clock.now());
      const role = presentRole(await requireRootRole(db, account.rootRole));
      const { id, name, email } = account;
      return { status: 200, body: { id, name, email, token: query.token, createdBy, role } };
    },
    'POST /auth/reset/password': async ({ body, request }) => {
      await limit.spend(request.clientAddress);
      const { account } = await requirePasswordLink(db, body.token, clock.now());
      requireGoodPassword(body.password);
      await requireUnusedPassword(db, account.id, body.password);
      const passwordHash = await hashPassword(body.password);
      await write({ actor: actorOf(account), cause: { requestId: request.requestId } }, async (tx) => {
        // A concurrent request may have used the same link since.
        const link = await requirePasswordLink(tx.db, body.token, tx.now);
        await usePasswordLink(tx, link);
        await setPassword(tx, account.id, passwordHash, { keepSession: null, revokeTokens: body.revokeTokens });
      });
      return { status: 200 };
    },
    'POST /auth/reset/validate-password': ({ body }) => {
      requireGoodPassword(body.password);
      return { status: 200 };
    },
  };
}
