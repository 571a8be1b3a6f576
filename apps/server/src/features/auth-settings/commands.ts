import { Problem } from '../../kernel/errors.ts';
import type { Seal } from '../../storage/seal.ts';
import type { Tx } from '../../storage/tx.ts';
import { adminRoleId, requireRootRole } from '../access/index.ts';
import { changeSetting, findSetting } from '../settings/index.ts';
import {
  oidcSetting,
  type PasswordSettings,
  passwordSetting,
  readOidc,
  readPasswordSettings,
} from './auth-settings.ts';
import { noOidc, type OidcSettings, requireUsable } from './oidc.ts';
import { requireMayChange } from './rights.ts';

/** What is undefined stays as it is, what is null goes back to its default. */
export type OidcChanges = {
  readonly [Key in Exclude<keyof OidcSettings, 'enabled'>]?: OidcSettings[Key] | null | undefined;
} & { readonly enabled: boolean; readonly defaultRootRole?: string | null | undefined };

/**
 * Sets how people log in through a provider. 400 for settings that do not work, 403 when nobody could log in any more and for what the
 * author may not change.
 */
export async function setOidc(tx: Tx, changes: OidcChanges, seal: Seal, allowHttp: boolean): Promise<OidcSettings> {
  const before = await findSetting<OidcSettings>(tx.db, oidcSetting);
  const { secret, defaultRootRole, defaultRootRoleId, ...rest } = changes;
  // The id goes first; null of one and nothing of the other is the default.
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
      'Nobody could log in any more: logins with passwords are off. Turn those on first.',
    );
  await changeSetting(tx, oidcSetting, before, after, shown);
  return after;
}

async function roleIdOf(tx: Tx, role: number | string | null): Promise<number> {
  return role === null ? noOidc.defaultRootRoleId : (await requireRootRole(tx.db, role, 'defaultRootRole')).id;
}

/** Turns logins with passwords on, or off: a 403 unless an administrator can log in through the provider. */
export async function setPasswordsDisabled(
  tx: Tx,
  disabled: boolean,
  environment: OidcSettings | undefined,
): Promise<PasswordSettings> {
  const before = await findSetting<PasswordSettings>(tx.db, passwordSetting);
  if ((before?.disabled ?? false) === disabled) return { disabled };
  if (disabled) await requireOtherWayIn(tx, environment);
  await changeSetting(tx, passwordSetting, before, { disabled });
  return { disabled };
}

/** Turns logins with passwords on, whatever else there is. */
export async function allowPasswords(tx: Tx): Promise<void> {
  await setPasswordsDisabled(tx, false, undefined);
}

async function requireOtherWayIn(tx: Tx, environment: OidcSettings | undefined): Promise<void> {
  if (!(await readOidc(tx.db, environment)).enabled)
    throw new Problem('OperationDeniedError', 'Nobody could log in any more: set up single sign-on first.');
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
    'No administrator could log in any more: single sign-on finds people by their e-mail address, and none has one.',
  );
}

/** Null means the default; what is undefined is left out, and text that is blank says as little as null. */
function withDefaults(changes: Partial<Record<keyof OidcSettings, unknown>>): Partial<OidcSettings> {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    named.map(([name, value]) => [name, value === null || value === '' ? noOidc[name as keyof OidcSettings] : value]),
  );
}

/** Sealing twice gives two texts; the same secret must not look like a change. */
function sealed(secret: string, before: string | null, { seal, open }: Seal): string | null {
  if (secret === '') return null;
  return before !== null && open(before) === secret ? before : seal(secret);
}

/** The event says whether there is a secret, and whether it changed, and not what it is. */
function shown(before: OidcSettings | undefined, after: OidcSettings) {
  const changed = before !== undefined && before.secret !== after.secret ? { secretChanged: true } : {};
  return { preData: before && withoutSecret(before), data: { ...withoutSecret(after), ...changed } };
}

function withoutSecret({ secret, ...rest }: OidcSettings) {
  return { ...rest, secretSet: secret !== null };
}
