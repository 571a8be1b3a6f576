import { Problem } from '../../kernel/errors.ts';
import { newSecret } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import {
  type Credentials,
  findCredentials,
  findPasswordHash,
  forgetFailedLogins,
  hashPassword,
  verifyPassword,
} from '../users/index.ts';

/** Who has logged in, with the hash that the password was checked against. */
export type Checked = Credentials & { readonly passwordHash: string };

/** Checks a user name, or e-mail address, and a password. */
export interface PasswordCheck {
  /** Whose the name is. */
  find(username: string): Promise<Credentials | undefined>;
  /** Who has logged in; undefined when the name is nobody's or the password is wrong. */
  verify(found: Credentials | undefined, password: string): Promise<Checked | undefined>;
}

/**
 * Makes a {@link PasswordCheck} that takes as long for a user who does not exist, or has no password, as for one who does.
 * `failed` hears of wrong passwords of users who exist.
 */
export async function createPasswordCheck(db: Db, failed: (userId: number) => void): Promise<PasswordCheck> {
  // What nobody's password is checked against.
  const decoy = await hashPassword(newSecret(''));
  return {
    find: (username) => findCredentials(db, username),
    verify: async (found, password) => {
      const passwordHash = found?.passwordHash ?? null;
      const right = await verifyPassword(password, passwordHash ?? decoy);
      if (right && found !== undefined && passwordHash !== null) return { account: found.account, passwordHash };
      if (found !== undefined) failed(found.account.id);
      return undefined;
    },
  };
}

/**
 * The rest of the check, inside the change that begins the session: a 401 when the password was changed meanwhile, so that
 * the change leaves no session of the old one behind. Logins that failed before are forgotten.
 */
export async function confirmPassword(tx: Tx, { account, passwordHash }: Checked): Promise<void> {
  if ((await findPasswordHash(tx.db, account.id)) !== passwordHash) throw passwordMismatch();
  await forgetFailedLogins(tx, account.id);
}

/** The same words whether the user or the password is wrong, so that nobody learns who exists. */
export function passwordMismatch(): Problem {
  return new Problem('PasswordMismatch', 'The user name or the password is wrong.');
}
