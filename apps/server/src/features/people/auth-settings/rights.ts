import { holdsAllOfRootRole } from '#features/people/access/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import type { OidcSettings } from './oidc.ts';

/**
 * The settings that decide to which account, and through groups to which role, a login leads. A caller who sets them
 * can log in as an administrator.
 */
const adminOnly = [
  'discoverUrl',
  'clientId',
  'secret',
  'emailDomains',
  'trustMissingEmailVerified',
  'enableGroupSyncing',
  'groupJsonPath',
] as const satisfies readonly (keyof OidcSettings)[];

/**
 * Rejects with 403 when the author lacks ADMIN and changes a setting that decides to which account a login leads, or
 * lets accounts be created with a root role that has more permissions than the author.
 */
export async function requireMayChange(tx: Tx, before: OidcSettings, after: OidcSettings): Promise<void> {
  if (tx.by.can?.('ADMIN') === true) return;
  const changed = adminOnly.find((name) => before[name] !== after[name]);
  if (changed !== undefined)
    throw adminNeeded(
      changed,
      `The setting ${changed} decides to which account a login leads. Changing it needs the permission ADMIN.`,
    );
  const grantsRole =
    before.defaultRootRoleId !== after.defaultRootRoleId || (createsAccounts(after) && !createsAccounts(before));
  if (!grantsRole || (await holdsAllOfRootRole(tx.db, tx.by, after.defaultRootRoleId))) return;
  throw adminNeeded(
    'defaultRootRole',
    'The root role of new accounts has permissions that you do not have. Choose another role, or ask an administrator.',
  );
}

function createsAccounts({ enabled, autoCreate }: OidcSettings): boolean {
  return enabled && autoCreate;
}

function adminNeeded(path: string, message: string): Problem {
  return new Problem('PermissionError', message, {
    details: [{ message, path }],
    extras: { permissions: ['ADMIN'] },
  });
}
