import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Database } from '../../storage/database.ts';
import { adminRoleId } from '../access/index.ts';
import { createUser } from './commands.ts';
import { hashPassword } from './password-hash.ts';
import { newPassword, passwordFaults } from './password-rules.ts';
import { anyPersonExists } from './store.ts';

export interface FirstAdminSettings {
  readonly username: string;
  /** Generated when undefined. */
  readonly password: string | undefined;
}

/** The administrator that this very process has created. */
export interface FirstAdmin {
  readonly username: string;
  /** What was generated, to be shown once and never logged; undefined when the settings named the password. */
  readonly generatedPassword: string | undefined;
  /** Rules that the password of the settings breaks. It is taken all the same, as Unleash's own default would be. */
  readonly faults: readonly string[];
}

const author: Author = { actor: systemActor, cause: {} };

/**
 * Creates an administrator while there is no user at all (docs/spec#first-administrator). Of processes that start at
 * once one creates it, and the others get undefined, as every later start does.
 */
export async function createFirstAdmin(
  database: Database,
  { username, password }: FirstAdminSettings,
): Promise<FirstAdmin | undefined> {
  if (await anyPersonExists(database.db)) return undefined;
  const generatedPassword = password === undefined ? newPassword() : undefined;
  const passwordHash = await hashPassword(password ?? (generatedPassword as string));
  const created = await database.write(author, async (tx) => {
    if (await anyPersonExists(tx.db)) return false;
    await createUser(tx, { username, name: username, rootRole: adminRoleId }, passwordHash);
    return true;
  });
  if (!created) return undefined;
  return { username, generatedPassword, faults: password === undefined ? [] : passwordFaults(password) };
}
