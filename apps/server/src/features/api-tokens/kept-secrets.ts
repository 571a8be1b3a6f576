import type { Seal } from '../../storage/seal.ts';
import type { Db } from '../../storage/tx.ts';
import { sealedSecrets } from './store.ts';
import type { ApiToken } from './token.ts';

/** What is known of the secrets of API tokens besides their hashes. */
export interface KeptSecrets {
  /** What is stored of a new token's secret; null for nothing. */
  keep(secret: string): string | null;
  /** Those of the tokens' secrets that can be told, by id. */
  read(db: Db, tokens: readonly ApiToken[]): Promise<ReadonlyMap<number, string>>;
}

/** Keeps secrets encrypted, so that lists can tell them. */
export function keepSecrets(seal: Seal): KeptSecrets {
  return {
    keep: seal.seal,
    read: async (db, tokens) => {
      const sealed = await sealedSecrets(
        db,
        tokens.map(({ id }) => id),
      );
      return new Map(
        tokens.flatMap(({ id }) => {
          const kept = sealed.get(id);
          // One that was sealed under another password stays unknown.
          const secret = kept === undefined ? undefined : seal.open(kept);
          return secret === undefined ? [] : [[id, secret] as const];
        }),
      );
    },
  };
}

/** Keeps no secret. */
export const forgetSecrets: KeptSecrets = { keep: () => null, read: async () => new Map() };
