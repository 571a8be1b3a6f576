import { Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import { holdsAllOfRootRole } from '../access/index.ts';
import type { OidcSettings } from './oidc.ts';

/**
 * The settings that decide which account, and through groups which role, a login leads to. A caller who sets them can log in as an
 * administrator.
 */
const decidingWho = [
  'discoverUrl',
  'clientId',
  'secret',
  'emailDomains',
  'trustMissingEmailVerified',
  'enableGroupSyncing',
  'groupJsonPath',
] as const satisfies readonly (keyof OidcSettings)[];

/**
 * Rejects with 403 when the author lacks ADMIN and changes a setting that decides who a login leads to, or has accounts created with
 * a root role that grants more than the author holds.
 */
export async function requireMayChange(tx: Tx, before: OidcSettings, after: OidcSettings): Promise<void> {
  if (tx.by.can?.('ADMIN') === true) return;
  const changed = decidingWho.find((name) => before[name] !== after[name]);
  if (changed !== undefined)
    throw adminNeeded(changed, `Changing ${changed} decides who a login leads to: it needs the permission ADMIN.`);
  const isGiven =
    before.defaultRootRoleId !== after.defaultRootRoleId || (createsAccounts(after) && !createsAccounts(before));
  if (!isGiven || (await holdsAllOfRootRole(tx.db, tx.by, after.defaultRootRoleId))) return;
  throw adminNeeded(
    'defaultRootRole',
    'The root role of new accounts grants more than you hold. Choose another role, or ask an administrator.',
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
