import type { meRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import {
  type Account,
  adminRoleId,
  findAccount,
  foreignAccountFields,
  listRoles,
  presentAccount,
  presentRole,
  projectRolesOf,
  requireRootRole,
  type Standings,
} from '../access/index.ts';
import { interfaceStateOf } from '../interface-state/index.ts';
import { setPassword } from './commands.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';
import { findPasswordHash, groupNamesOf, groupRootRolesOf, projectIds } from './store.ts';
import { requireUnusedPassword } from './used-passwords.ts';

/** `guesses` limits how often one user may try an old password. */
export function meHandlers(
  { db, write }: Database,
  standings: Standings,
  guesses: RateLimit,
): Handlers<typeof meRoutes> {
  return {
    'GET /api/admin/user': async ({ caller }) => {
      const account = await accountOf(db, caller);
      const user = account === undefined ? presentStranger(caller) : presentAccount(account);
      const permissions =
        account === undefined
          ? [{ permission: 'ADMIN' }]
          : (await standings.of(account.id)).permissions(await projectIds(db));
      const shown = account === undefined ? { feedback: [], splash: {} } : await interfaceStateOf(db, account.id);
      return { status: 200, body: { user, permissions, ...shown } };
    },
    'GET /api/admin/user/profile': async ({ caller }) => {
      const account = await accountOf(db, caller);
      const role = await requireRootRole(db, account?.rootRole ?? adminRoleId);
      const projects = account === undefined ? [] : [...(await standings.of(account.id)).projects];
      const groups = account === undefined ? [] : await groupNamesOf(db, account.id);
      // Nobody can subscribe to anything yet.
      const none = { subscriptions: [], features: [] };
      return {
        status: 200,
        body: { rootRole: presentRole(role), projects, groups, ...none, canChangePassword: caller.kind === 'user' },
      };
    },
    'GET /api/admin/user/roles': async ({ query, caller }) => {
      const { projectId } = query;
      if (projectId !== undefined) await requireProject(db, caller, projectId);
      const ids = await roleIdsOf(db, await accountOf(db, caller), projectId);
      const roles = (await listRoles(db)).filter(({ id }) => ids.has(id));
      return { status: 200, body: { version: 1, roles: roles.map(presentRole) } };
    },
    'POST /api/admin/user/change-password': async ({ body, caller, request }) => {
      if (caller.kind !== 'user') throw new Problem('OperationDeniedError', 'Only people have a password.');
      const userId = caller.actor.userId;
      if (body.password !== body.confirmPassword) throw badField('confirmPassword', 'must be the same as password');
      requireGoodPassword(body.password);
      await guesses.spend(String(userId));
      const current = await findPasswordHash(db, userId);
      if (current === null || !(await verifyPassword(body.oldPassword, current))) throw wrongOldPassword();
      await requireUnusedPassword(db, userId, body.password);
      const passwordHash = await hashPassword(body.password);
      await write(authorOf(caller, request), async (tx) => {
        // An administrator may have set another one while this was being checked, perhaps because of this very caller.
        if ((await findPasswordHash(tx.db, userId)) !== current) throw wrongOldPassword();
        await setPassword(tx, userId, passwordHash, {
          keepSession: caller.sessionId,
          revokeTokens: body.revokeTokens,
        });
      });
      return { status: 200 };
    },
  };
}

/** Roles for the whole instance, its groups' too, or roles in one project. What has no account is an administrator. */
async function roleIdsOf(
  db: Database['db'],
  account: Account | undefined,
  project: string | undefined,
): Promise<Set<number>> {
  if (account === undefined) return new Set(project === undefined ? [adminRoleId] : []);
  if (project !== undefined) return new Set((await projectRolesOf(db, account.id, project)).map((role) => role.roleId));
  return new Set([account.rootRole, ...(await groupRootRolesOf(db, account.id))]);
}

/** A 404 for a project that is not there, or hidden from the caller. */
async function requireProject(db: Database['db'], caller: Identity, project: string): Promise<void> {
  if (!caller.hidden.has(project) && (await projectIds(db)).includes(project)) return;
  throw new Problem('NotFoundError', `There is no project ${project}.`);
}

function wrongOldPassword(): Problem {
  const message = 'The old password is wrong.';
  return new Problem('PasswordMismatch', message, { details: [{ path: 'oldPassword', message }] });
}

/** The caller's account; undefined for callers that have none, such as an admin token. */
async function accountOf(db: Database['db'], caller: Identity): Promise<Account | undefined> {
  if (caller.kind !== 'user' && caller.kind !== 'service-account') return undefined;
  const account = await findAccount(db, caller.kind, caller.actor.userId);
  if (account === undefined) throw new Problem('NotFoundError', 'Your account has just been deleted.');
  return account;
}

/** Admin tokens, and whoever calls where authentication is off: no rows, but administrators by name. */
function presentStranger({ actor, kind }: Identity) {
  return {
    id: actor.userId,
    isAPI: kind === 'admin-token',
    name: actor.name,
    username: actor.name,
    loginAttempts: 0,
    rootRole: adminRoleId,
    seenAt: null,
    ...foreignAccountFields,
  };
}
