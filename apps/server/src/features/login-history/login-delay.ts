import { Problem } from '../../kernel/errors.ts';
import { secretHash } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../storage/tx.ts';

/** Without a failure for this long, in milliseconds, the next ones count from 1 again. */
export const quietDays = 1;
const quietMs = quietDays * 86_400_000;
const longestDelayMs = 900_000;
/** For how long after a login, in milliseconds, its network is known. */
const knownMs = 90 * 86_400_000;

/** Who tries to log in, as the count of failures sees it. */
interface LoginAttempter {
  /** What was given for the user name. */
  readonly username: string;
  /** The account of that name; undefined when there is none. */
  readonly userId: number | undefined;
  /** The client's IPv4 address or IPv6 network. */
  readonly network: string;
}

/**
 * Returns what failures are counted by: the user name that was given, the same for all unknown networks and whether or not there
 * is such a user. A network from which the user has logged in before has a count of its own, so that guesses made elsewhere never
 * keep a person out there.
 */
export async function attemptKeyOf(db: Db, attempter: LoginAttempter, now: number): Promise<string> {
  const { username, userId, network } = attempter;
  if (userId === undefined || network === '') return keyOfName(username);
  const login = await db
    .selectFrom('login_history')
    .select('id')
    .where('user_id', '=', userId)
    .where('ip', '=', network)
    .where('successful', '=', 1)
    .where('created_at', '>', now - knownMs)
    .limit(1)
    .executeTakeFirst();
  return login === undefined ? keyOfName(username) : `${knownPrefix(userId)}${network}`;
}

/** Hashed, because people type passwords where a user name belongs. */
function keyOfName(username: string): string {
  return `name:${secretHash(username.toLowerCase())}`;
}

function knownPrefix(userId: number): string {
  return `known:${userId}:`;
}

/**
 * Rejects with 429, and when to come back, while the last failures of a key delay the next attempt: 1 s after `free` failures, and
 * twice as long with each further one, up to 15 minutes. `free` 0 lifts the delay.
 */
export async function requireLoginTurn(db: Db, key: string, free: number, now: number): Promise<void> {
  if (free === 0) return;
  const row = await db.selectFrom('login_delays').selectAll().where('attempt_key', '=', key).executeTakeFirst();
  if (row === undefined || row.failures < free) return;
  const delayMs = Math.min(1000 * 2 ** (row.failures - free), longestDelayMs);
  const leftMs = row.failed_at + delayMs - now;
  // More than the delay is left where the clock has been set back.
  if (leftMs <= 0 || leftMs > 2 * longestDelayMs) return;
  const wait = Math.ceil(leftMs / 1000);
  throw new Problem(
    'RateLimitError',
    `Too many failed logins with this user name. Try again in ${wait} s. If this is not your doing, ask an administrator for a password link.`,
    { headers: { 'retry-after': String(wait) } },
  );
}

/** Counts a failed login of a key. */
export async function countFailedLogin(tx: Tx, key: string): Promise<void> {
  const row = await tx.db.selectFrom('login_delays').selectAll().where('attempt_key', '=', key).executeTakeFirst();
  const failures = row === undefined || row.failed_at <= tx.now - quietMs ? 1 : row.failures + 1;
  await tx.db
    .insertInto('login_delays')
    .values({ attempt_key: key, failures, failed_at: tx.now })
    .onConflict((conflict) => conflict.column('attempt_key').doUpdateSet({ failures, failed_at: tx.now }))
    .execute();
}

/** Forgets the failures of a key, after a login that succeeded. */
export async function forgetFailuresOf(tx: Tx, key: string): Promise<void> {
  await tx.db.deleteFrom('login_delays').where('attempt_key', '=', key).execute();
}

/** Forgets the failures of a user from anywhere, as the password that was guessed is no longer theirs. */
export async function forgetFailuresOfUser(
  tx: Tx,
  { id, username, email }: { readonly id: number; readonly username: string | null; readonly email: string | null },
): Promise<void> {
  const names = [username, email].filter((name) => name !== null).map(keyOfName);
  await tx.db
    .deleteFrom('login_delays')
    .where((eb) =>
      eb.or([...names.map((name) => eb('attempt_key', '=', name)), eb('attempt_key', 'like', `${knownPrefix(id)}%`)]),
    )
    .execute();
}
