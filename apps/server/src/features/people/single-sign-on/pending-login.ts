import { systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { newSecret, secretHash } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';

/**
 * A login between the redirect to the provider and the callback. The callback needs the state from the URL and the
 * secret from the browser's cookie.
 */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The path of this service to open after the login. */
  readonly returnTo: string;
}

/** The time that a person has to log in at the provider. */
export const pendingLoginSeconds = 600;

/** Stores a login that begins and returns the secret for the browser's cookie. */
export function savePendingLogin(
  { writeQuietly }: Database,
  pending: PendingLogin,
  requestId: string,
): Promise<string> {
  const secret = newSecret('');
  return writeQuietly('sessions', { actor: systemActor, cause: { requestId } }, async (tx) => {
    await tx.db.deleteFrom('sso_logins').where('expires_at', '<=', tx.now).execute();
    await tx.db
      .insertInto('sso_logins')
      .values({
        secret_hash: secretHash(secret),
        state: pending.state,
        nonce: pending.nonce,
        code_verifier: pending.codeVerifier,
        return_to: pending.returnTo,
        expires_at: tx.now + pendingLoginSeconds * 1000,
      })
      .execute();
    return secret;
  });
}

/** Returns the pending login and deletes it; undefined when it is unknown, has expired or was used before. */
export async function takePendingLogin(
  { db, writeQuietly }: Database,
  clock: Clock,
  secret: string,
  state: string,
  requestId: string,
): Promise<PendingLogin | undefined> {
  const hash = secretHash(secret);
  const row = await db
    .selectFrom('sso_logins')
    .selectAll()
    .where('secret_hash', '=', hash)
    .where('state', '=', state)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const isFirst = await writeQuietly('sessions', { actor: systemActor, cause: { requestId } }, async (tx) => {
    const { numDeletedRows } = await tx.db.deleteFrom('sso_logins').where('id', '=', row.id).executeTakeFirstOrThrow();
    return Number(numDeletedRows) === 1;
  });
  if (!isFirst) return undefined;
  return { state: row.state, nonce: row.nonce, codeVerifier: row.code_verifier, returnTo: row.return_to };
}
