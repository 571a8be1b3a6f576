import { z } from 'zod';
import { createSigningKey, rotateKeys, type SigningKey, verificationKey } from '#features/platform/deliveries/index.ts';
import { changeSetting, defineSetting, findSetting } from '#features/platform/settings/index.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { jsonColumn } from '#storage/json-column.ts';
import { openedIn, sealedIn } from '#storage/sealed-text.ts';
import type { Db, Tx } from '#storage/tx.ts';

const author: Author = { actor: systemActor, cause: {} };

/**
 * The keys that sign the calls of all actions. One Ed25519 key is enough for all receivers, because they know only its
 * public part (docs/adr/0057-sign-action-calls-with-one-public-key.md).
 */
export const signingKeysSetting = defineSetting<{ readonly keys: string }>(
  'action-calls.signing-keys',
  z.object({ keys: z.string().meta({ description: 'Sealed' }) }),
);

const keysColumn = jsonColumn<readonly SigningKey[]>(
  'settings.content',
  z.array(
    z.object({
      algorithm: z.literal('ed25519'),
      secret: z.string(),
      createdAt: z.number(),
      until: z.number().nullable(),
    }),
  ),
);

/** Returns the keys that sign calls, the current one first. */
export async function signingKeys(db: Db): Promise<readonly SigningKey[]> {
  const stored = await findSetting(db, signingKeysSetting);
  if (stored === undefined) return [];
  const keys = openedIn(db, stored.keys, 'The signing key of action calls');
  return keys === undefined ? [] : keysColumn.parse(keys, signingKeysSetting.name);
}

/** Creates the key at the first start, so that a receiver can be set up before the first call. */
export async function ensureSigningKey({ db, writeQuietly }: Pick<Database, 'db' | 'writeQuietly'>): Promise<void> {
  if ((await findSetting(db, signingKeysSetting)) !== undefined) return;
  await writeQuietly('signing keys', author, async (tx) => {
    const content = signingKeysSetting.content.write(sealed(tx.db, [createSigningKey('ed25519', tx.now)]));
    await tx.db
      .insertInto('settings')
      .values({ name: signingKeysSetting.name, content })
      // Another process may have started at the same time.
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
  });
}

/** Replaces the key. The previous key keeps signing beside the new one for a day. */
export async function rotateSigningKey(tx: Tx): Promise<void> {
  const before = await findSetting(tx.db, signingKeysSetting);
  const keys = await signingKeys(tx.db);
  const after = rotateKeys(keys, createSigningKey('ed25519', tx.now), tx.now);
  await changeSetting(tx, signingKeysSetting, before, sealed(tx.db, after), () => ({
    preData: before === undefined ? undefined : { keys: keys.map(presentKey) },
    data: { keys: after.map(presentKey) },
  }));
}

function sealed(db: Db, keys: readonly SigningKey[]) {
  return { keys: sealedIn(db, keysColumn.write(keys)) };
}

/** Presents the public part of a key. */
export function presentKey(key: SigningKey) {
  return {
    publicKey: verificationKey(key),
    createdAt: isoTime(key.createdAt),
    until: key.until === null ? null : isoTime(key.until),
  };
}
