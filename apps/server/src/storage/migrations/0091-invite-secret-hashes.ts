import { type Kysely, sql } from 'kysely';
import { secretHash } from '../../kernel/ids.ts';

/** Stores hashes of the secrets of invite links instead of the secrets. */
export async function inviteSecretHashes(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invite_links rename column secret to secret_hash`.execute(db);
  const { rows } = await sql<{ id: number; secret_hash: string }>`select id, secret_hash from invite_links`.execute(db);
  for (const { id, secret_hash: secret } of rows)
    await sql`update invite_links set secret_hash = ${secretHash(secret)} where id = ${id}`.execute(db);
}
