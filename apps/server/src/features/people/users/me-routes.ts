import type { meRoutes } from '@yardarm/contract';
import {
  type AccessRightsCache,
  type Account,
  adminRoleId,
  findAccount,
  listRoles,
  presentAccount,
  presentRole,
  projectRolesOf,
  requireRootRole,
  unusedAccountFields,
} from '#features/people/access/index.ts';
import { interfaceStateOf } from '#features/platform/interface-state/index.ts';
import type { Handlers } from '#http/handler.ts';
import { unknownProject } from '#http/permission.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import type { Identity } from '#kernel/caller.ts';
import { badField, Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import { setPassword } from './commands.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { requireUnusedPassword } from './password-history.ts';
import { requireGoodPassword } from './password-rules.ts';
import { findPasswordHash, groupNamesOf, groupRootRolesOf, projectIds } from './store.ts';

/** Serves the caller's own account. `guesses` limits how often a user may enter a wrong old password. */
export function meHandlers(
  { db, write }: Database,
  accessRights: AccessRightsCache,
  guesses: RateLimit,
): Handlers<typeof meRoutes> {
  return {
    'GET /api/admin/user': async ({ caller }) => {
      const account = await accountOf(db, caller);
      const user = account === undefined ? presentWithoutAccount(caller) : presentAccount(account);
      const permissions =
        account === undefined
          ? [{ permission: 'ADMIN' }]
          : (await accessRights.get(account.id)).permissions(await projectIds(db));
      const shown = account === undefined ? { feedback: [], splash: {} } : await interfaceStateOf(db, account.id);
      return { body: { user, permissions, ...shown } };
    },
    'GET /api/admin/user/profile': async ({ caller }) => {
      const account = await accountOf(db, caller);
      const role = await requireRootRole(db, account?.rootRole ?? adminRoleId);
      const projects = account === undefined ? [] : [...(await accessRights.get(account.id)).projects];
      const groups = account === undefined ? [] : await groupNamesOf(db, account.id);
      // Part of Unleash's answer; Yardarm has no subscriptions.
      const none = { subscriptions: [], features: [] };
      return {
        body: { rootRole: presentRole(role), projects, groups, ...none, canChangePassword: caller.kind === 'user' },
      };
    },
    'GET /api/admin/user/roles': async ({ query, caller }) => {
      const { projectId } = query;
      if (projectId !== undefined) await requireProject(db, caller, projectId);
      const ids = await roleIdsOf(db, await accountOf(db, caller), projectId);
      const roles = (await listRoles(db)).filter(({ id }) => ids.has(id));
      return { body: { version: 1, roles: roles.map(presentRole) } };
    },
    'POST /api/admin/user/change-password': async ({ body, author, caller }) => {
      if (caller.kind !== 'user')
        throw new Problem('OperationDeniedError', 'Only users have a password. Service accounts and tokens have none.');
      const userId = caller.actor.userId;
      if (body.password !== body.confirmPassword) throw badField('confirmPassword', 'must be the same as password');
      requireGoodPassword(body.password);
      await guesses.spend(String(userId));
      const current = await findPasswordHash(db, userId);
      if (current === null || !(await verifyPassword(body.oldPassword, current))) throw wrongOldPassword();
      await requireUnusedPassword(db, userId, body.password);
      const passwordHash = await hashPassword(body.password);
      await write(author, async (tx) => {
        // An administrator may have reset the password during the check, perhaps to lock out this caller.
        if ((await findPasswordHash(tx.db, userId)) !== current) throw wrongOldPassword();
        await setPassword(tx, userId, passwordHash, {
          keepSession: caller.sessionId,
          revokeTokens: body.revokeTokens,
        });
      });
    },
  };
}

/**
 * Returns the ids of the root roles of an account and its groups, or of its roles in one project. A caller without an
 * account has the administrator role, and no roles in projects.
 */
async function roleIdsOf(
  db: Database['db'],
  account: Account | undefined,
  project: string | undefined,
): Promise<Set<number>> {
  if (account === undefined) return new Set(project === undefined ? [adminRoleId] : []);
  if (project !== undefined) return new Set((await projectRolesOf(db, account.id, project)).map((role) => role.roleId));
  return new Set([account.rootRole, ...(await groupRootRolesOf(db, account.id))]);
}

/** Rejects with 404 when the project does not exist or is hidden from the caller. */
async function requireProject(db: Database['db'], caller: Identity, project: string): Promise<void> {
  if (!caller.hidden.has(project) && (await projectIds(db)).includes(project)) return;
  throw unknownProject(project);
}

function wrongOldPassword(): Problem {
  const message = 'The old password is wrong.';
  return new Problem('PasswordMismatch', message, { details: [{ path: 'oldPassword', message }] });
}

/** Returns the caller's account; undefined for callers without an account, such as an admin token. */
async function accountOf(db: Database['db'], caller: Identity): Promise<Account | undefined> {
  if (caller.kind !== 'user' && caller.kind !== 'service-account') return undefined;
  const account = await findAccount(db, caller.kind, caller.actor.userId);
  if (account === undefined) throw new Problem('NotFoundError', 'Your account has been deleted.');
  return account;
}

/** Returns a caller without an account as a user: an admin token, or any caller when authentication is off. */
function presentWithoutAccount({ actor, kind }: Identity) {
  return {
    id: actor.userId,
    isAPI: kind === 'admin-token',
    name: actor.name,
    username: actor.name,
    loginAttempts: 0,
    rootRole: adminRoleId,
    seenAt: null,
    ...unusedAccountFields,
  };
}
