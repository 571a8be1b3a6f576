import { type Author, systemActor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import { secretHash } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import type { KeptSecrets } from './kept-secrets.ts';
import { countTokens, findTokensByHashes, insertToken, type NewToken } from './store.ts';
import { readSecret, tokenEvent } from './token.ts';

export interface InitialTokens {
  readonly admin: readonly string[];
  readonly backend: readonly string[];
  readonly frontend: readonly string[];
}

const author: Author = { actor: systemActor, cause: {} };

const types = ['admin', 'backend', 'frontend'] as const;

/**
 * Creates the tokens that the settings name, while there is no token at all (docs/spec#initial-tokens). Answers the
 * types of which the settings name tokens and not one is known, because there were others before. Rejects, and creates
 * none, when one of them says something a token cannot be; the message never holds the token.
 */
export async function createInitialTokens(
  database: Database,
  tokens: InitialTokens,
  secrets: KeptSecrets,
): Promise<readonly (keyof InitialTokens)[]> {
  const wanted = types.flatMap((type) =>
    tokens[type].map((secret) => ({ type, secret, hash: secretHash(secret), token: describe(type, secret) })),
  );
  if (wanted.length === 0) return [];
  return database.write(author, async (tx) => {
    if ((await countTokens(tx.db)) > 0) {
      const hashes = wanted.map(({ hash }) => hash);
      const known = await findTokensByHashes(tx.db, hashes);
      const of = Map.groupBy(wanted, ({ type }) => type);
      return [...of].filter(([, some]) => !some.some(({ hash }) => known.has(hash))).map(([type]) => type);
    }
    for (const { token, secret, hash } of wanted) {
      tx.record(tokenEvent(null, await insertToken(tx, token, { hash, sealed: secrets.keep(secret) })));
    }
    return [];
  });
}

function describe(type: keyof InitialTokens, secret: string): NewToken {
  const { project, environment } = readSecret(secret);
  if (project === '[]')
    throw new Problem('BadDataError', `A ${type} token from the settings must name one project or *.`);
  if (type === 'admin' && (project !== '*' || environment !== '*'))
    throw new Problem('BadDataError', 'An admin token from the settings must look like *:*.secret.');
  if (type !== 'admin' && environment === '*')
    throw new Problem('BadDataError', `A ${type} token from the settings must name one environment.`);
  return { name: 'admin', type, environment, projects: [project], expiresAt: null };
}
