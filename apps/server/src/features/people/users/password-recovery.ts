import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import { setPassword } from './commands.ts';
import { hashPassword } from './password-hash.ts';
import { newPassword } from './password-rules.ts';
import { findCredentials } from './store.ts';

/**
 * Generates a password. Returns it with the function that stores it for the user with this user name or e-mail address.
 * The function rejects with 404 when there is no such user.
 */
export async function preparePasswordReset(
  username: string,
): Promise<{ password: string; apply: (tx: Tx) => Promise<void> }> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  return {
    password,
    apply: async (tx) => {
      const found = await findCredentials(tx.db, username);
      if (found === undefined) throw new Problem('NotFoundError', `There is no user ${username}.`);
      await setPassword(tx, found.account.id, passwordHash, { keepSession: null, revokeTokens: true });
    },
  };
}
