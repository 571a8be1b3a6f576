import {
  type Credentials,
  findCredentials,
  findPasswordHash,
  hashPassword,
  resetFailedLogins,
  verifyPassword,
} from '#features/people/users/index.ts';
import { Problem } from '#kernel/errors.ts';
import { newSecret } from '#kernel/ids.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** A user with a correct password, and the hash that the password was checked against. */
export type VerifiedUser = Credentials & { readonly passwordHash: string };

/** Checks a user name, or e-mail address, and a password. */
export interface PasswordCheck {
  /** Finds the user of a user name or e-mail address. */
  find(username: string): Promise<Credentials | undefined>;
  /** Returns the user when the password is correct; undefined for a wrong password or an unknown user. */
  verify(found: Credentials | undefined, password: string): Promise<VerifiedUser | undefined>;
}

/**
 * Creates a {@link PasswordCheck}. It takes the same time for unknown users and users without a password, so that the
 * time does not reveal who exists. Calls `failed` after a wrong password of an existing user.
 */
export async function createPasswordCheck(db: Db, failed: (userId: number) => void): Promise<PasswordCheck> {
  // Passwords of unknown users are checked against this hash.
  const decoy = await hashPassword(newSecret(''));
  return {
    find: (username) => findCredentials(db, username),
    verify: async (found, password) => {
      const passwordHash = found?.passwordHash ?? null;
      const matches = await verifyPassword(password, passwordHash ?? decoy);
      if (matches && found !== undefined && passwordHash !== null) return { account: found.account, passwordHash };
      if (found !== undefined) failed(found.account.id);
      return undefined;
    },
  };
}

/**
 * Completes the check inside the write that begins the session. Rejects with 401 when the password was changed since,
 * so that no session begins with an old password. Resets the count of failed logins.
 */
export async function confirmPassword(tx: Tx, { account, passwordHash }: VerifiedUser): Promise<void> {
  if ((await findPasswordHash(tx.db, account.id)) !== passwordHash) throw passwordMismatch();
  await resetFailedLogins(tx, account.id);
}

/**
 * Returns the 401 for a failed login: the same text for an unknown user and a wrong password, so that it reveals no
 * user names.
 */
export function passwordMismatch(): Problem {
  return new Problem('PasswordMismatch', 'The user name or the password is wrong.');
}
