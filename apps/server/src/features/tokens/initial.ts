import { type Author, systemActor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import { secretHash } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import type { KeptSecrets } from './kept-secrets.ts';
import { countTokens, insertToken, type NewToken } from './store.ts';
import { readSecret, tokenEvent } from './token.ts';

export interface InitialTokens {
  readonly admin: readonly string[];
  readonly backend: readonly string[];
  readonly frontend: readonly string[];
}

const author: Author = { actor: systemActor, cause: {} };

/**
 * Creates the tokens that the settings name, while there is no token at all (unleash-facts 7.4). Rejects, and
 * creates none, when one of them says something a token cannot be; the message never holds the token.
 */
export async function createInitialTokens(
  database: Database,
  tokens: InitialTokens,
  secrets: KeptSecrets,
): Promise<void> {
  const wanted = (['admin', 'backend', 'frontend'] as const).flatMap((type) =>
    tokens[type].map((secret) => ({ secret, token: describe(type, secret) })),
  );
  if (wanted.length === 0) return;
  await database.write(author, async (tx) => {
    if ((await countTokens(tx.db)) > 0) return;
    for (const { token, secret } of wanted) {
      const stored = { hash: secretHash(secret), sealed: secrets.keep(secret) };
      tx.record(tokenEvent(null, await insertToken(tx, token, stored)));
    }
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
