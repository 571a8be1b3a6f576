import { unknownProject } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { requireFuture } from '#kernel/future.ts';
import { newSecret, secretHash } from '#kernel/ids.ts';
import { limitReached } from '#kernel/limits.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { SecretStorage } from './secret-storage.ts';
import * as store from './store.ts';
import { type ApiToken, secretPrefix, tokenEvent, tokenKinds } from './token.ts';

export interface TokenOptions {
  /** The highest number of API tokens of the instance. */
  readonly limit: number;
  readonly secrets: SecretStorage;
}

type Verb = 'CREATE' | 'READ' | 'UPDATE' | 'DELETE';

/** Returns whether the caller may create, read, update or delete tokens of a type (docs/spec#api-tokens). */
export function mayUse(caller: Identity, verb: Verb, type: ApiToken['type']): boolean {
  const word = tokenKinds[type].permission;
  return caller.can('ADMIN') || (word !== null && caller.can(`${verb}_${word}_API_TOKEN`));
}

/** Returns whether no project of the token is hidden from the caller. */
export function maySee(caller: Identity, token: Pick<ApiToken, 'projects'>): boolean {
  return !token.projects.some((project) => caller.hidden.has(project));
}

/**
 * Rejects a new token that would give access to projects hidden from the caller: with 400, as for unknown projects,
 * when the token names them, and with 403 when it is for all projects (`*`).
 */
export function requireVisibleProjects(caller: Identity, projects: readonly string[]): void {
  const hidden = projects.filter((project) => caller.hidden.has(project));
  if (hidden.length > 0) throw unknownProjects(hidden);
  if (projects.includes('*') && caller.hidden.size > 0) {
    throw new Problem(
      'OperationDeniedError',
      'A token for all projects would open private projects that you cannot see. Name the projects of the token.',
    );
  }
}

function unknownProjects(names: readonly string[]): Problem {
  return badField('projects', `contains unknown projects: ${names.join(', ')}`);
}

/** Rejects with 403 unless {@link mayUse} is true. */
export function requireUse(caller: Identity, verb: Verb, type: ApiToken['type']): void {
  if (mayUse(caller, verb, type)) return;
  const word = tokenKinds[type].permission;
  const needed = word === null ? 'ADMIN' : `${verb}_${word}_API_TOKEN`;
  throw new Problem(
    'OperationDeniedError',
    `You need the permission ${needed} for ${type} tokens. Ask an administrator.`,
  );
}

/**
 * Creates a token and returns it with its secret. Rejects with 400 when the environment or a project does not exist, or
 * when the instance has `limit` tokens.
 */
export async function createToken(
  tx: Tx,
  { limit, secrets }: TokenOptions,
  input: store.NewToken,
): Promise<{ token: ApiToken; secret: string }> {
  if (input.environment !== '*' && !(await store.environmentExists(tx.db, input.environment)))
    throw badField('environment', `is ${input.environment}, which does not exist`);
  const unknown = await store.unknownProjects(
    tx.db,
    input.projects.filter((project) => project !== '*'),
  );
  if (unknown.length > 0) throw unknownProjects(unknown);
  if ((await store.countTokens(tx.db)) >= limit)
    throw limitReached(limit, 'API tokens', 'Delete a token that is not used.');
  const secret = newSecret(secretPrefix(input));
  const token = await store.insertToken(tx, input, { hash: secretHash(secret), sealed: secrets.encrypt(secret) });
  tx.record(tokenEvent(null, token));
  return { token, secret };
}

/** Finds a token by its secret or its id. */
async function findTokenByReference(db: Db, reference: string): Promise<ApiToken | undefined> {
  if (!/^\d+$/.test(reference)) return store.findTokenByHash(db, secretHash(reference));
  const id = Number(reference);
  return id <= 2147483647 ? store.findTokenById(db, id) : undefined;
}

/**
 * Sets when a token expires; null means never. Rejects with 400 when the time has passed. Does nothing for an unknown
 * token (docs/spec#api-tokens).
 */
export async function setExpiry(tx: Tx, caller: Identity, reference: string, expiresAt: number | null): Promise<void> {
  const before = await findTokenByReference(tx.db, reference);
  if (before === undefined || !maySee(caller, before)) return;
  requireUse(caller, 'UPDATE', before.type);
  if (before.expiresAt === expiresAt) return;
  requireFuture('expiresAt', expiresAt, tx.now);
  await store.setExpiry(tx, before.id, expiresAt);
  tx.record(tokenEvent(before, { ...before, expiresAt }));
}

/** Deletes a token. Does nothing for an unknown token (docs/spec#api-tokens). */
export async function deleteToken(tx: Tx, caller: Identity, reference: string): Promise<void> {
  const token = await findTokenByReference(tx.db, reference);
  if (token === undefined || !maySee(caller, token)) return;
  requireUse(caller, 'DELETE', token.type);
  await remove(tx, token);
}

/**
 * Deletes a token of one project. Rejects with 404 when the project has no such token, and 400 when the token has
 * further projects.
 */
export async function deleteProjectToken(tx: Tx, project: string, reference: string): Promise<void> {
  const token = await findTokenByReference(tx.db, reference);
  if (token === undefined || !token.projects.includes(project))
    throw new Problem('NotFoundError', `The project ${project} has no such token.`);
  if (token.projects.length > 1)
    throw badField('token', 'is also valid for other projects. Delete it in the list of all API tokens');
  await remove(tx, token);
}

/** Rejects with 404 unless the project exists. */
export async function requireProject(db: Db, project: string): Promise<void> {
  if ((await store.unknownProjects(db, [project])).length > 0) throw unknownProject(project);
}

async function remove(tx: Tx, token: ApiToken): Promise<void> {
  await store.deleteTokenRow(tx, token.id);
  tx.record(tokenEvent(token, null));
}
