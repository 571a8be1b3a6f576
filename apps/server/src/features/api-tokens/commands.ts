import type { Identity } from '../../kernel/caller.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import { newSecret, secretHash } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import type { KeptSecrets } from './kept-secrets.ts';
import * as store from './store.ts';
import { type ApiToken, permissionWord, secretPrefix, tokenEvent } from './token.ts';

export interface TokenOptions {
  /** Most API tokens of the instance. */
  readonly limit: number;
  readonly secrets: KeptSecrets;
}

type Verb = 'CREATE' | 'READ' | 'UPDATE' | 'DELETE';

/** Whether `caller` may do that with tokens of this type (docs/spec#api-tokens). */
export function mayUse(caller: Identity, verb: Verb, type: ApiToken['type']): boolean {
  const word = permissionWord(type);
  return caller.can('ADMIN') || (word !== null && caller.can(`${verb}_${word}_API_TOKEN`));
}

/** Whether a token says nothing of projects that are hidden from the caller. */
export function maySee(caller: Identity, token: Pick<ApiToken, 'projects'>): boolean {
  return !token.projects.some((project) => caller.hidden.has(project));
}

/**
 * Refuses what would open projects to the caller that are hidden from them: a 400 as for one that does not exist, and a
 * 403 for all projects.
 */
export function requireOpenable(caller: Identity, projects: readonly string[]): void {
  const hidden = projects.filter((project) => caller.hidden.has(project));
  if (hidden.length > 0) throw unknownProjects(hidden);
  if (projects.includes('*') && caller.hidden.size > 0) {
    throw new Problem('OperationDeniedError', 'Some projects are private, so you must name those the token opens.');
  }
}

function unknownProjects(names: readonly string[]): Problem {
  return badField('projects', `name ${names.join(', ')}, which does not exist`);
}

/** A 403 unless {@link mayUse}. */
export function requireUse(caller: Identity, verb: Verb, type: ApiToken['type']): void {
  if (mayUse(caller, verb, type)) return;
  const word = permissionWord(type);
  const needed = word === null ? 'ADMIN' : `${verb}_${word}_API_TOKEN`;
  throw new Problem('OperationDeniedError', `You need the permission ${needed} to do this with a ${type} token.`);
}

/**
 * Creates a token; `secret` is known only now. 400 when its environment or one of its projects does not exist,
 * or when the instance has `limit` tokens.
 */
export async function createToken(
  tx: Tx,
  { limit, secrets }: TokenOptions,
  input: store.NewToken,
): Promise<{ token: ApiToken; secret: string }> {
  if (!(await store.environmentExists(tx.db, input.environment)))
    throw badField('environment', `names ${input.environment}, which does not exist`);
  const unknown = await store.unknownProjects(
    tx.db,
    input.projects.filter((project) => project !== '*'),
  );
  if (unknown.length > 0) throw unknownProjects(unknown);
  if ((await store.countTokens(tx.db)) >= limit)
    throw new Problem('ExceedsLimitError', `The limit of ${limit} API tokens is reached; delete one that is not used.`);
  const secret = newSecret(secretPrefix(input));
  const token = await store.insertToken(tx, input, { hash: secretHash(secret), sealed: secrets.keep(secret) });
  tx.record(tokenEvent(null, token));
  return { token, secret };
}

/** The token that `reference` names, by its secret or its id. */
async function findReferred(db: Db, reference: string): Promise<ApiToken | undefined> {
  if (!/^\d+$/.test(reference)) return store.findTokenByHash(db, secretHash(reference));
  const id = Number(reference);
  return id <= 2147483647 ? store.findTokenById(db, id) : undefined;
}

/** Sets when a token's time is over, null for never. A token that is not known is no error (docs/spec#api-tokens). */
export async function setExpiry(tx: Tx, caller: Identity, reference: string, expiresAt: number | null): Promise<void> {
  const before = await findReferred(tx.db, reference);
  if (before === undefined || !maySee(caller, before)) return;
  requireUse(caller, 'UPDATE', before.type);
  if (before.expiresAt === expiresAt) return;
  await store.setExpiry(tx, before.id, expiresAt);
  tx.record(tokenEvent(before, { ...before, expiresAt }));
}

/** Deletes a token. One that is not known is no error (docs/spec#api-tokens). */
export async function deleteToken(tx: Tx, caller: Identity, reference: string): Promise<void> {
  const token = await findReferred(tx.db, reference);
  if (token === undefined || !maySee(caller, token)) return;
  requireUse(caller, 'DELETE', token.type);
  await remove(tx, token);
}

/** Deletes a token of one project: 404 when the project has no such token, 400 when it opens others as well. */
export async function deleteProjectToken(tx: Tx, project: string, reference: string): Promise<void> {
  const token = await findReferred(tx.db, reference);
  if (token === undefined || !token.projects.includes(project))
    throw new Problem('NotFoundError', `The project ${project} has no such token.`);
  if (token.projects.length > 1)
    throw badField('token', 'opens other projects as well; delete it where all API tokens are');
  await remove(tx, token);
}

/** A 404 unless the project exists. */
export async function requireProject(db: Db, project: string): Promise<void> {
  if ((await store.unknownProjects(db, [project])).length > 0)
    throw new Problem('NotFoundError', `There is no project ${project}.`);
}

async function remove(tx: Tx, token: ApiToken): Promise<void> {
  await store.deleteTokenRow(tx, token.id);
  tx.record(tokenEvent(token, null));
}
