import { Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import { setPassword } from './commands.ts';
import { hashPassword } from './password-hash.ts';
import { newPassword } from './password-rules.ts';
import { findCredentials } from './store.ts';

/** A generated password and the change that gives it to a user, by user name or e-mail address: a 404 when there is no such. */
export async function freshPassword(username: string): Promise<{ password: string; give: (tx: Tx) => Promise<void> }> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  return {
    password,
    give: async (tx) => {
      const found = await findCredentials(tx.db, username);
      if (found === undefined) throw new Problem('NotFoundError', `There is no user ${username}.`);
      await setPassword(tx, found.account.id, passwordHash, { keepSession: null, revokeTokens: false });
    },
  };
}
