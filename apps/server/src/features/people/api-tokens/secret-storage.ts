import type { Seal } from '#storage/seal.ts';
import type { Db } from '#storage/tx.ts';
import { sealedSecrets } from './store.ts';
import type { ApiToken } from './token.ts';

/**
 * Decides whether the secrets of API tokens are stored encrypted, in addition to their hashes, so that lists can show
 * them.
 */
export interface SecretStorage {
  /** Returns the encrypted secret to store; null to store none. */
  encrypt(secret: string): string | null;
  /** Returns the readable secrets of the tokens by token id. */
  read(db: Db, tokens: readonly ApiToken[]): Promise<ReadonlyMap<number, string>>;
}

/** Stores secrets encrypted, so that lists can show them. */
export function encryptedSecrets(seal: Seal): SecretStorage {
  return {
    encrypt: seal.seal,
    read: async (db, tokens) => {
      const sealed = await sealedSecrets(
        db,
        tokens.map(({ id }) => id),
      );
      return new Map(
        tokens.flatMap(({ id }) => {
          const kept = sealed.get(id);
          // A secret that was encrypted with another UNLEASH_SECRET cannot be read.
          const secret = kept === undefined ? undefined : seal.open(kept);
          return secret === undefined ? [] : [[id, secret] as const];
        }),
      );
    },
  };
}

/** Stores only the hashes of secrets. */
export const hashedSecrets: SecretStorage = { encrypt: () => null, read: async () => new Map() };
