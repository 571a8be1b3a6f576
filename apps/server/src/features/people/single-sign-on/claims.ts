import { type OidcSettings, readPath } from '#features/people/auth-settings/index.ts';
import { Problem } from '#kernel/errors.ts';
import { foldCase } from '#kernel/fold-case.ts';

/** The claims of a provider about an authenticated user (OpenID Connect Core 1.0, 5.1). */
export type Claims = Readonly<Record<string, unknown>>;

export interface Person {
  /** In lower case, and verified by the provider. */
  readonly email: string;
  readonly name: string | null;
  /** Groups at the provider; undefined when there were too many for the provider to list. */
  readonly groups: readonly string[] | undefined;
}

/** Returns whether `claims` hold all that is needed, so that the UserInfo endpoint need not be called. */
export function isComplete(claims: Claims, settings: OidcSettings): boolean {
  if (typeof claims['email'] !== 'string' || isEmailVerified(claims) === undefined) return false;
  return !settings.enableGroupSyncing || readPath(claims, settings.groupJsonPath) !== undefined;
}

/** Merges the claims of both sources. The e-mail address and its verification are always taken from the same source. */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const { email, email_verified, xms_edov, ...rest } = idToken;
  const isSure = typeof userInfo['email'] === 'string' && isEmailVerified(userInfo) !== undefined;
  if (isSure || email === undefined) return { ...userInfo, ...rest };
  return { ...userInfo, ...idToken, email_verified, xms_edov };
}

/**
 * Returns the person that the claims describe. Throws a 403 unless the provider has verified an e-mail address, because
 * accounts are found by it: an unverified address would let a person log in to the account of another.
 */
export function identityOf(claims: Claims, settings: OidcSettings): Person {
  if (typeof claims['sub'] !== 'string' || claims['sub'].trim() === '')
    throw new Problem(
      'ForbiddenError',
      'The single sign-on provider did not name the user: its claim sub is blank. Ask an administrator.',
    );
  const email = foldCase(String(claims['email'] ?? '').trim());
  if (!/^[^@\s\p{Cc}\p{Cs}]+@[^@\s\p{Cc}\p{Cs}]+$/u.test(email) || email.length > 255)
    throw new Problem(
      'ForbiddenError',
      'The single sign-on provider did not send a valid e-mail address, which is needed to find your account. Ask an administrator.',
    );
  // Letters that turn into others, such as the Kelvin sign into a k, could name the account of another person.
  if (email !== email.normalize('NFKC').toLowerCase())
    throw new Problem(
      'ForbiddenError',
      `The e-mail address ${email} has letters that can be mistaken for others. Ask an administrator.`,
    );
  if (!(isEmailVerified(claims) ?? settings.trustMissingEmailVerified))
    throw new Problem(
      'ForbiddenError',
      `The single sign-on provider did not confirm that the e-mail address ${email} is verified. Ask an administrator.`,
    );
  return { email, name: nameOf(claims), groups: groupsOf(claims, settings.groupJsonPath) };
}

/**
 * Returns whether the provider has verified the e-mail address; undefined without such a claim. `email_verified` is
 * true or false (OpenID Connect Core 1.0, 5.1). Entra ID uses `xms_edov`, which it sends as a boolean, a number or
 * text.
 */
function isEmailVerified({ email_verified: verified, xms_edov: ownDomain }: Claims): boolean | undefined {
  if (verified !== undefined && verified !== null) return verified === true;
  if (ownDomain === undefined || ownDomain === null) return undefined;
  return ownDomain === true || ownDomain === 1 || ownDomain === 'true' || ownDomain === '1';
}

function nameOf(claims: Claims): string | null {
  const full = [claims['given_name'], claims['family_name']].filter((part) => typeof part === 'string').join(' ');
  for (const name of [claims['name'], full, claims['preferred_username']]) {
    if (typeof name !== 'string') continue;
    const clean = name
      .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
      .trim()
      .slice(0, 255)
      .toWellFormed();
    if (clean !== '') return clean;
  }
  return null;
}

/**
 * Returns the groups of the claims. A missing claim means no groups, unless `_claim_names` refers to another source
 * because there are too many (Core 5.6.2): then undefined.
 */
function groupsOf(claims: Claims, path: string): readonly string[] | undefined {
  const found = readPath(claims, path);
  if (found !== undefined) return [found].flat().filter((group) => typeof group === 'string');
  const elsewhere = claims['_claim_names'];
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && path in elsewhere;
  return isElsewhere ? undefined : [];
}
