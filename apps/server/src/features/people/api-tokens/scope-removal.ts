import type { Tx } from '#storage/tx.ts';
import * as store from './store.ts';
import { type ApiToken, tokenEvent } from './token.ts';

/**
 * Removes a project that is being deleted from the scope of its tokens. Deletes tokens that have no other project: an
 * empty list of projects would mean all projects, and a later project with the same id would be open to the old token.
 */
export async function endTokensOfProject(tx: Tx, project: string): Promise<void> {
  for (const token of await store.tokensOfProject(tx.db, project)) {
    const projects = token.projects.filter((scope) => scope !== project);
    if (projects.length === 0) {
      await end(tx, token);
    } else {
      await store.removeProject(tx, token.id, project);
      tx.record(tokenEvent(token, { ...token, projects }));
    }
  }
}

/** Deletes the tokens of an environment that is being deleted. */
export async function endTokensOfEnvironment(tx: Tx, environment: string): Promise<void> {
  for (const token of await store.tokensOfEnvironment(tx.db, environment)) await end(tx, token);
}

async function end(tx: Tx, token: ApiToken): Promise<void> {
  await store.deleteTokenRow(tx, token.id);
  tx.record(tokenEvent(token, null));
}
