import { Problem } from '../../kernel/errors.ts';
import { type OidcSettings, readPath } from '../auth-settings/index.ts';

/** What a provider says of whom it let in (OpenID Connect Core 1.0, 5.1). */
export type Claims = Readonly<Record<string, unknown>>;

export interface Person {
  /** Lower case. It is theirs: the provider has verified it. */
  readonly email: string;
  readonly name: string | null;
  /** Groups at the provider; undefined when it did not say which, as there were too many. */
  readonly groups: readonly string[] | undefined;
}

/** Whether `claims` leave nothing to ask for at the UserInfo endpoint. */
export function isComplete(claims: Claims, settings: OidcSettings): boolean {
  if (typeof claims['email'] !== 'string' || verdictOn(claims) === undefined) return false;
  return !settings.enableGroupSyncing || readPath(claims, settings.groupJsonPath) !== undefined;
}

/** Both together. An e-mail address and whether it is verified come from the same of the two. */
export function merged(idToken: Claims, userInfo: Claims): Claims {
  const { email, email_verified, xms_edov, ...rest } = idToken;
  if (typeof userInfo['email'] === 'string' && verdictOn(userInfo) !== undefined) return { ...userInfo, ...rest };
  return { ...userInfo, ...idToken, ...(email === undefined ? {} : { email_verified, xms_edov }) };
}

/**
 * The person that claims are about. 403 without an e-mail address that the provider has verified: by it accounts are
 * found, and whoever could choose it could be anybody.
 */
export function personOf(claims: Claims, settings: OidcSettings): Person {
  const email = String(claims['email'] ?? '')
    .trim()
    .toLowerCase();
  if (!/^[^@\s\p{Cc}\p{Cs}]+@[^@\s\p{Cc}\p{Cs}]+$/u.test(email) || email.length > 255)
    throw new Problem(
      'ForbiddenError',
      'The provider does not say what your e-mail address is, by which you are known here.',
    );
  if (!(verdictOn(claims) ?? settings.trustMissingEmailVerified))
    throw new Problem('ForbiddenError', `The provider does not say that ${email} has been verified to be yours.`);
  return { email, name: nameOf(claims), groups: groupsOf(claims, settings.groupJsonPath) };
}

/** Whether the provider has verified the e-mail address; undefined when it does not say. Entra ID says it in a word of its own. */
function verdictOn({ email_verified: verified, xms_edov: ownDomain }: Claims): boolean | undefined {
  for (const said of [verified, ownDomain]) {
    if (said === undefined || said === null) continue;
    return said === true || said === 1 || said === 'true' || said === '1';
  }
  return undefined;
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

/** A provider leaves the claim out for who is in none; where there are too many it names another place that has them (Core 5.6.2). */
function groupsOf(claims: Claims, path: string): readonly string[] | undefined {
  const found = readPath(claims, path);
  if (found !== undefined) return [found].flat().filter((group) => typeof group === 'string');
  const elsewhere = claims['_claim_names'];
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && path in elsewhere;
  return isElsewhere ? undefined : [];
}
