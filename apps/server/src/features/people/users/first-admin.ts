import { adminRoleId } from '#features/people/access/index.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import { createUser } from './commands.ts';
import { hashPassword } from './password-hash.ts';
import { newPassword, passwordFaults } from './password-rules.ts';
import { anyUserExists } from './store.ts';

export interface FirstAdminSettings {
  readonly username: string;
  /** Generated when undefined. */
  readonly password: string | undefined;
}

/** The administrator that this process has created. */
export interface FirstAdmin {
  readonly username: string;
  /** The generated password, to be shown once and never logged; undefined when the settings name the password. */
  readonly generatedPassword: string | undefined;
  /**
   * Password rules that the configured password breaks. The password is accepted anyway, like Unleash's default one.
   */
  readonly faults: readonly string[];
}

const author: Author = { actor: systemActor, cause: {} };

/**
 * Creates the first administrator when there is no user (docs/spec#first-administrator). Returns undefined when a user
 * exists, also when another process that starts at the same time creates the administrator first.
 */
export async function createFirstAdmin(
  database: Database,
  { username, password }: FirstAdminSettings,
): Promise<FirstAdmin | undefined> {
  if (await anyUserExists(database.db)) return undefined;
  const generatedPassword = password === undefined ? newPassword() : undefined;
  const passwordHash = await hashPassword(password ?? (generatedPassword as string));
  const created = await database.write(author, async (tx) => {
    if (await anyUserExists(tx.db)) return false;
    await createUser(tx, { username, name: username, rootRole: adminRoleId }, passwordHash);
    return true;
  });
  if (!created) return undefined;
  return { username, generatedPassword, faults: password === undefined ? [] : passwordFaults(password) };
}
