import { type Author, systemActor } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import { secretHash } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';
import type { SecretStorage } from './secret-storage.ts';
import { countTokens, findTokensByHashes, insertToken, type NewToken } from './store.ts';
import { readSecret, tokenEvent } from './token.ts';

export interface InitialTokens {
  readonly admin: readonly string[];
  readonly backend: readonly string[];
  readonly frontend: readonly string[];
  readonly replica: readonly string[];
}

const author: Author = { actor: systemActor, cause: {} };

const types = ['admin', 'backend', 'frontend', 'replica'] as const;

/**
 * Creates the tokens of the settings when the instance has no token (docs/spec#initial-tokens). When it has tokens,
 * creates none and returns the types for which no token of the settings is known. Rejects, and creates none, when a
 * token is not valid; the error does not contain the token.
 */
export async function createInitialTokens(
  database: Database,
  tokens: InitialTokens,
  secrets: SecretStorage,
): Promise<readonly (keyof InitialTokens)[]> {
  const configured = types.flatMap((type) =>
    tokens[type].map((secret) => ({ type, secret, hash: secretHash(secret), token: describe(type, secret) })),
  );
  if (configured.length === 0) return [];
  return database.write(author, async (tx) => {
    if ((await countTokens(tx.db)) > 0) {
      const hashes = configured.map(({ hash }) => hash);
      const known = await findTokensByHashes(tx.db, hashes);
      const of = Map.groupBy(configured, ({ type }) => type);
      return [...of].filter(([, some]) => !some.some(({ hash }) => known.has(hash))).map(([type]) => type);
    }
    for (const { token, secret, hash } of configured) {
      tx.record(tokenEvent(null, await insertToken(tx, token, { hash, sealed: secrets.encrypt(secret) })));
    }
    return [];
  });
}

function describe(type: keyof InitialTokens, secret: string): NewToken {
  const { project, environment } = readSecret(secret);
  if (project === '[]')
    throw new Problem('BadDataError', `A ${type} token from the settings must name one project or *, not [].`);
  if (type === 'admin' && (project !== '*' || environment !== '*'))
    throw new Problem('BadDataError', 'An admin token from the settings must begin with *:*., such as *:*.secret.');
  if (type !== 'admin' && type !== 'replica' && environment === '*')
    throw new Problem('BadDataError', `A ${type} token from the settings must name one environment.`);
  return { name: 'admin', type, environment, projects: [project], expiresAt: null };
}
