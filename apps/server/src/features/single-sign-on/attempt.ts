import { systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newSecret, secretHash } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';

/** A login that has been sent to the provider. The browser holds the secret, in a cookie; whoever comes back needs both. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Where the person wanted to go: a path here. */
  readonly returnTo: string;
}

/** How long somebody may take to log in at the provider. */
export const attemptSeconds = 600;

/** Notes a login that begins and answers the secret for its browser. */
export function keepAttempt({ writeQuietly }: Database, attempt: Attempt, requestId: string): Promise<string> {
  const secret = newSecret('');
  return writeQuietly('sessions', { actor: systemActor, cause: { requestId } }, async (tx) => {
    await tx.db.deleteFrom('sso_logins').where('expires_at', '<=', tx.now).execute();
    await tx.db
      .insertInto('sso_logins')
      .values({
        secret_hash: secretHash(secret),
        state: attempt.state,
        nonce: attempt.nonce,
        code_verifier: attempt.codeVerifier,
        return_to: attempt.returnTo,
        expires_at: tx.now + attemptSeconds * 1000,
      })
      .execute();
    return secret;
  });
}

/** Takes up the login that a browser comes back from; undefined when it began none, its time is over, or it came back before. */
export async function takeAttempt(
  { db, writeQuietly }: Database,
  clock: Clock,
  secret: string,
  state: string,
  requestId: string,
): Promise<Attempt | undefined> {
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
