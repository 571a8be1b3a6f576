import type { Config } from '#config/settings.ts';
import { enablePasswords } from '#features/people/auth-settings/index.ts';
import { preparePasswordReset } from '#features/people/users/index.ts';
import { systemActor } from '#kernel/actor.ts';
import { systemClock } from '#kernel/clock.ts';
import { openDatabase } from '#storage/database.ts';

/**
 * Restores access after a lockout: enables passwords, and gives the named user, if any, a new password, which it
 * returns. Rejects with a 404 `Problem`, without a change, when there is no such user. With SQLite no server may run;
 * with PostgreSQL running servers follow at once. `onError` receives background errors of the database.
 */
export async function recover(
  config: Config,
  username: string | undefined,
  onError: (error: unknown) => void,
): Promise<string | undefined> {
  const database = await openDatabase(config, systemClock, `process ${process.pid}, running recover`, onError);
  try {
    const reset = username === undefined ? undefined : await preparePasswordReset(username);
    await database.write({ actor: systemActor, cause: {} }, async (tx) => {
      await enablePasswords(tx);
      await reset?.apply(tx);
    });
    return reset?.password;
  } finally {
    await database.close();
  }
}
