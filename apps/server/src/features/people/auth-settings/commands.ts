import { isDeepStrictEqual } from 'node:util';
import { adminRoleId, requireRootRole } from '#features/people/access/index.ts';
import { recordControlOfProvider } from '#features/people/account-control/index.ts';
import { changeSetting, findSetting } from '#features/platform/settings/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Seal } from '#storage/seal.ts';
import type { Tx } from '#storage/tx.ts';
import { type PasswordSettings, passwordSetting, readOidc, readPasswordSettings } from './auth-settings.ts';
import { noOidc, type OidcSettings, oidcSetting, requireUsable } from './oidc.ts';
import { requireMayChange } from './rights.ts';

/** Changes of the settings: an undefined field stays, a null field gets its default, except the secret, which stays. */
export type OidcChanges = {
  readonly [Key in Exclude<keyof OidcSettings, 'enabled'>]?: OidcSettings[Key] | null | undefined;
} & { readonly enabled: boolean; readonly defaultRootRole?: string | null | undefined };

/**
 * Updates the settings of single sign-on. Rejects with 400 for invalid settings, and with 403 when no user could log in
 * any more or the author may not change a setting.
 */
export async function setOidc(tx: Tx, changes: OidcChanges, seal: Seal, allowHttp: boolean): Promise<OidcSettings> {
  const before = await findSetting(tx.db, oidcSetting);
  const { secret, defaultRootRole, defaultRootRoleId, ...rest } = changes;
  // The id takes precedence over the name. If one is null and the other has no value, the default role is used.
  const role = defaultRootRoleId ?? (defaultRootRole === undefined ? defaultRootRoleId : defaultRootRole);
  const was = { ...noOidc, ...before };
  const after: OidcSettings = {
    ...was,
    ...withDefaults(rest),
    ...(secret === undefined || secret === null ? {} : { secret: sealed(secret, was.secret, seal) }),
    ...(role === undefined ? {} : { defaultRootRoleId: await roleIdOf(tx, role) }),
  };
  await requireMayChange(tx, was, after);
  requireUsable(after, allowHttp);
  if (!after.enabled && (await readPasswordSettings(tx.db)).disabled)
    throw new Problem(
      'OperationDeniedError',
      'No user could log in any more, because passwords are disabled. Enable passwords first.',
    );
  if (!isDeepStrictEqual(was, after)) await recordControlOfProvider(tx);
  await changeSetting(tx, oidcSetting, before, after, shown);
  return after;
}

async function roleIdOf(tx: Tx, role: number | string | null): Promise<number> {
  return role === null ? noOidc.defaultRootRoleId : (await requireRootRole(tx.db, role, 'defaultRootRole')).id;
}

/**
 * Enables or disables passwords. Rejects with 403 when they are disabled and no administrator can use single sign-on.
 */
export async function setPasswordsDisabled(
  tx: Tx,
  disabled: boolean,
  environment: OidcSettings | undefined,
): Promise<PasswordSettings> {
  const before = await findSetting(tx.db, passwordSetting);
  if ((before?.disabled ?? false) === disabled) return { disabled };
  if (disabled) await requireSingleSignOnAdmin(tx, environment);
  await changeSetting(tx, passwordSetting, before, { disabled });
  return { disabled };
}

/** Enables passwords. */
export async function enablePasswords(tx: Tx): Promise<void> {
  await setPasswordsDisabled(tx, false, undefined);
}

async function requireSingleSignOnAdmin(tx: Tx, environment: OidcSettings | undefined): Promise<void> {
  if (!(await readOidc(tx.db, environment)).enabled)
    throw new Problem('OperationDeniedError', 'No user could log in any more. Set up single sign-on first.');
  const admin = await tx.db
    .selectFrom('users')
    .select('id')
    .where('kind', '=', 'user')
    .where('root_role_id', '=', adminRoleId)
    .where('email', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (admin !== undefined) return;
  throw new Problem(
    'OperationDeniedError',
    'No administrator could log in any more: single sign-on finds users by their e-mail address. Add one to an administrator first.',
  );
}

/** Removes undefined fields and replaces null and empty strings by the default. */
function withDefaults(changes: Partial<Record<keyof OidcSettings, unknown>>): Partial<OidcSettings> {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    named.map(([name, value]) => [name, value === null || value === '' ? noOidc[name as keyof OidcSettings] : value]),
  );
}

/**
 * Encrypts a secret, or keeps the stored text for the same secret: encrypting twice gives two texts, which would look
 * like a change.
 */
function sealed(secret: string, before: string | null, { seal, open }: Seal): string | null {
  if (secret === '') return null;
  return before !== null && open(before) === secret ? before : seal(secret);
}

/** Returns the data of the event: whether a secret is set and whether it changed, but not the secret. */
function shown(before: OidcSettings | undefined, after: OidcSettings) {
  const changed = before !== undefined && before.secret !== after.secret ? { secretChanged: true } : {};
  return { preData: before && withoutSecret(before), data: { ...withoutSecret(after), ...changed } };
}

function withoutSecret({ secret, ...rest }: OidcSettings) {
  return { ...rest, secretSet: secret !== null };
}
