import { Problem } from '#kernel/errors.ts';
import { foldCase } from '#kernel/fold-case.ts';
import { secretHash } from '#kernel/ids.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** After this many days without a failure, the count starts again from 1. */
export const quietDays = 1;
const quietMs = quietDays * 86_400_000;
const longestDelayMs = 900_000;
/** How long after a successful login its network counts as known, in milliseconds. */
const knownMs = 90 * 86_400_000;

/** The fields of a login attempt that determine where its failures are counted. */
interface LoginAttemptSource {
  /** The user name as it was entered. */
  readonly username: string;
  /** The account of that name; undefined when there is none. */
  readonly userId: number | undefined;
  /** The client's IPv4 address or IPv6 network. */
  readonly network: string;
}

/**
 * Returns the key by which failures are counted: the account, whichever of its names was entered, or the entered name
 * when there is no such account, for all unknown networks together. A known network, from which the user has logged in
 * before, has its own key, so that an attacker elsewhere cannot lock the user out.
 *
 * A limit by address alone gives 1,000 addresses 10,000 guesses a minute; a lock of the account lets anybody lock its
 * owner out. With the delay, an attacker has 20 guesses, and 96 a day from then on. A cookie that marks a known browser
 * would tell people in one network apart, but logging out deletes it, and programs do not keep it.
 */
export async function loginAttemptKey(db: Db, attempt: LoginAttemptSource, now: number): Promise<string> {
  const { username, network } = attempt;
  const userId = attempt.userId ?? (await userOfAnyCase(db, username));
  if (userId === undefined) return keyOfName(username);
  if (network === '') return keyOfAccount(userId);
  const login = await db
    .selectFrom('login_history')
    .select('id')
    .where('user_id', '=', userId)
    .where('ip', '=', network)
    .where('successful', '=', 1)
    .where('created_at', '>', now - knownMs)
    .limit(1)
    .executeTakeFirst();
  return login === undefined ? keyOfAccount(userId) : `${knownPrefix(userId)}${network}`;
}

/**
 * Returns the user of a name in another case, which does not log in: counted elsewhere, the delay would reveal that
 * there is such a user.
 */
async function userOfAnyCase(db: Db, username: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('kind', '=', 'user')
    .where((eb) => eb(eb.fn<string>('lower', ['username']), '=', foldCase(username)))
    .orderBy('id')
    .executeTakeFirst();
  return row?.id;
}

/** Hashes the name, because people sometimes type their password into the field of the user name. */
function keyOfName(username: string): string {
  return `name:${secretHash(foldCase(username))}`;
}

function keyOfAccount(userId: number): string {
  return `account:${userId}`;
}

function knownPrefix(userId: number): string {
  return `known:${userId}:`;
}

/**
 * Rejects with 429 and Retry-After while the failures of a key delay the next attempt (exponential back-off): 1 s after
 * `free` failures, doubled with each further failure, up to 15 minutes. `free` 0 turns the delay off.
 */
export async function requireNoLoginDelay(db: Db, key: string, free: number, now: number): Promise<void> {
  if (free === 0) return;
  const row = await db.selectFrom('login_delays').selectAll().where('attempt_key', '=', key).executeTakeFirst();
  if (row === undefined || row.failures < free) return;
  const delayMs = Math.min(1000 * 2 ** (row.failures - free), longestDelayMs);
  const leftMs = row.failed_at + delayMs - now;
  // When the clock was set back, more time can be left than any delay lasts. The login is not delayed then.
  if (leftMs <= 0 || leftMs > 2 * longestDelayMs) return;
  const wait = Math.ceil(leftMs / 1000);
  throw new Problem(
    'RateLimitError',
    `Too many failed logins with this user name. Try again in ${wait} s. If you did not cause this, ask an administrator for a password link.`,
    { headers: { 'retry-after': String(wait) } },
  );
}

/** Counts a failed login of a key. */
export async function countLoginFailure(tx: Tx, key: string): Promise<void> {
  const row = await tx.db.selectFrom('login_delays').selectAll().where('attempt_key', '=', key).executeTakeFirst();
  const failures = row === undefined || row.failed_at <= tx.now - quietMs ? 1 : row.failures + 1;
  await tx.db
    .insertInto('login_delays')
    .values({ attempt_key: key, failures, failed_at: tx.now })
    .onConflict((conflict) => conflict.column('attempt_key').doUpdateSet({ failures, failed_at: tx.now }))
    .execute();
}

/** Deletes the failures of a key, after a successful login. */
export async function clearLoginFailures(tx: Tx, key: string): Promise<void> {
  await tx.db.deleteFrom('login_delays').where('attempt_key', '=', key).execute();
}

/** Deletes the failures of a user from all networks, after the password was changed. */
export async function clearLoginFailuresOfUser(tx: Tx, { id }: { readonly id: number }): Promise<void> {
  await tx.db
    .deleteFrom('login_delays')
    .where((eb) => eb.or([eb('attempt_key', '=', keyOfAccount(id)), eb('attempt_key', 'like', `${knownPrefix(id)}%`)]))
    .execute();
}
