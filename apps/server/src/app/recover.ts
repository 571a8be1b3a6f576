import type { Config } from '../config/settings.ts';
import { enablePasswords } from '../features/auth-settings/index.ts';
import { preparePasswordReset } from '../features/users/index.ts';
import { systemActor } from '../kernel/actor.ts';
import { systemClock } from '../kernel/clock.ts';
import { openDatabase } from '../storage/database.ts';

/**
 * Lets people in again who are locked out: logins with passwords are on from now, and the user, when one is named, gets the
 * password that this answers. Rejects with a 404 `Problem`, having changed nothing, when there is no such user. On an
 * embedded database the server must not run; on PostgreSQL it follows at once. `onError` hears of failures of the database
 * that nothing is waiting on.
 */
export async function recover(
  config: Config,
  username: string | undefined,
  onError: (error: unknown) => void,
): Promise<string | undefined> {
  const database = await openDatabase(config, systemClock, `process ${process.pid}, recovering`, onError);
  try {
    const fresh = username === undefined ? undefined : await preparePasswordReset(username);
    await database.write({ actor: systemActor, cause: {} }, async (tx) => {
      await enablePasswords(tx);
      await fresh?.apply(tx);
    });
    return fresh?.password;
  } finally {
    await database.close();
  }
}
