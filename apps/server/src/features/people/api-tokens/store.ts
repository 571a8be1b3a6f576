import { chunksOf, firstOf } from '#kernel/lists.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { ApiToken, TokenScope } from './token.ts';

const columns = ['id', 'name', 'type', 'environment', 'created_at', 'expires_at', 'seen_at'] as const;

export async function countTokens(db: Db): Promise<number> {
  const row = await db
    .selectFrom('api_tokens')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}

/** Returns all tokens, or those with a name, the oldest first. */
export async function listTokens(db: Db, name?: string): Promise<ApiToken[]> {
  return toTokens(await (name === undefined ? selected(db) : selected(db).where('t.name', '=', name)).execute());
}

/** Returns all tokens with the name of the actor who created each, null when it was not stored. */
export async function listTokensAndCreators(
  db: Db,
): Promise<{ readonly token: ApiToken; readonly createdBy: string | null }[]> {
  const rows = await selected(db).select('t.created_by').execute();
  const creatorOf = new Map(rows.map((row) => [row.id, row.created_by]));
  return toTokens(rows).map((token) => ({ token, createdBy: creatorOf.get(token.id) ?? null }));
}

/** Returns whether there is an admin token with a name that has not expired at `now`. */
export async function hasAdminTokenNamed(db: Db, name: string, now: number): Promise<boolean> {
  return (await listTokens(db, name)).some(
    ({ type, expiresAt }) => type === 'admin' && (expiresAt === null || expiresAt > now),
  );
}

export async function findTokenByHash(db: Db, hash: string): Promise<ApiToken | undefined> {
  return toTokens(await selected(db).where('t.secret_hash', '=', hash).execute())[0];
}

/** Returns the tokens with these hashes, by hash, in one statement. */
export async function findTokensByHashes(db: Db, hashes: readonly string[]): Promise<Map<string, ApiToken>> {
  if (hashes.length === 0) return new Map();
  const rows = await selected(db).select('t.secret_hash').where('t.secret_hash', 'in', hashes).execute();
  const hashOf = new Map(rows.map((row) => [row.id, row.secret_hash]));
  return new Map(toTokens(rows).map((token) => [hashOf.get(token.id) as string, token]));
}

export async function findTokenById(db: Db, id: number): Promise<ApiToken | undefined> {
  return toTokens(await selected(db).where('t.id', '=', id).execute())[0];
}

/** Returns a token with the hash of its secret. */
export async function findTokenAndHash(
  db: Db,
  id: number,
): Promise<{ readonly token: ApiToken; readonly secretHash: string } | undefined> {
  const rows = await selected(db).select('t.secret_hash').where('t.id', '=', id).execute();
  const [token] = toTokens(rows);
  return token && { token, secretHash: rows[0]?.secret_hash as string };
}

/** Returns all tokens with the hashes of their secrets. */
export async function listTokensAndHashes(
  db: Db,
): Promise<{ readonly token: ApiToken; readonly secretHash: string }[]> {
  const rows = await selected(db).select('t.secret_hash').execute();
  const hashOf = new Map(rows.map((row) => [row.id, row.secret_hash]));
  return toTokens(rows).map((token) => ({ token, secretHash: hashOf.get(token.id) as string }));
}

/** Returns the tokens whose scope lists this project. */
export async function tokensOfProject(db: Db, project: string): Promise<ApiToken[]> {
  const limited = db.selectFrom('api_token_projects').select('token_id').where('project', '=', project);
  return toTokens(await selected(db).where('t.id', 'in', limited).execute());
}

export async function tokensOfEnvironment(db: Db, environment: string): Promise<ApiToken[]> {
  return toTokens(await selected(db).where('t.environment', '=', environment).execute());
}

/**
 * Selects tokens with their projects in one statement. With two statements, a token whose project is deleted in between
 * would look like a token for all projects.
 */
function selected(db: Db) {
  return db
    .selectFrom('api_tokens as t')
    .leftJoin('api_token_projects as p', 'p.token_id', 't.id')
    .select(['t.id', 't.name', 't.type', 't.environment', 't.created_at', 't.expires_at', 't.seen_at', 'p.project'])
    .orderBy('t.id')
    .orderBy('p.project');
}

function toTokens(rows: readonly (TokenRow & { project: string | null })[]): ApiToken[] {
  return [...Map.groupBy(rows, (row) => row.id).values()].map((links) =>
    toToken(
      firstOf(links),
      links.flatMap(({ project }) => project ?? []),
    ),
  );
}

export interface NewToken extends TokenScope {
  readonly name: string;
  readonly expiresAt: number | null;
}

/** A token's secret as it is stored: its hash, and the encrypted text when secrets are readable. */
export interface StoredSecret {
  readonly hash: string;
  readonly sealed: string | null;
}

export async function insertToken(tx: Tx, token: NewToken, secret: StoredSecret): Promise<ApiToken> {
  const row = await tx.db
    .insertInto('api_tokens')
    .values({
      name: token.name,
      type: token.type,
      secret_hash: secret.hash,
      sealed_secret: secret.sealed,
      environment: token.environment,
      created_at: tx.now,
      expires_at: token.expiresAt,
      seen_at: null,
      created_by: tx.by.actor.name,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  // A token for all projects has no row in this table.
  const links = token.projects.filter((project) => project !== '*').map((project) => ({ token_id: row.id, project }));
  if (links.length > 0) await tx.db.insertInto('api_token_projects').values(links).execute();
  return toToken(row, links.map(({ project }) => project).toSorted());
}

export async function setExpiry(tx: Tx, id: number, expiresAt: number | null): Promise<void> {
  await tx.db.updateTable('api_tokens').set({ expires_at: expiresAt }).where('id', '=', id).execute();
}

export async function deleteTokenRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('api_tokens').where('id', '=', id).execute();
}

export async function removeProject(tx: Tx, id: number, project: string): Promise<void> {
  await tx.db.deleteFrom('api_token_projects').where('token_id', '=', id).where('project', '=', project).execute();
}

/** Stores the time of last use, unless a later time is stored. */
export async function setSeen(tx: Tx, ids: readonly number[], at: number): Promise<void> {
  for (const part of chunksOf(ids)) {
    await tx.db
      .updateTable('api_tokens')
      .set({ seen_at: at })
      .where('id', 'in', part)
      .where((eb) => eb.or([eb('seen_at', 'is', null), eb('seen_at', '<', at)]))
      .execute();
  }
}

/** Returns the encrypted secrets of tokens that have one, by token id, in one statement. */
export async function sealedSecrets(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  // PostgreSQL rejects an empty IN list.
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('api_tokens')
    .select(['id', 'sealed_secret'])
    .where('id', 'in', ids)
    .where('sealed_secret', 'is not', null)
    .execute();
  return new Map(rows.flatMap(({ id, sealed_secret }) => (sealed_secret === null ? [] : [[id, sealed_secret]])));
}

export async function environmentExists(db: Db, name: string): Promise<boolean> {
  const row = await db.selectFrom('environments').select('name').where('name', '=', name).executeTakeFirst();
  return row !== undefined;
}

/** Returns the ids that belong to no project, or only to an archived one. */
export async function unknownProjects(db: Db, ids: readonly string[]): Promise<string[]> {
  // PostgreSQL rejects an empty IN list.
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('id', 'in', [...ids])
    .where('archived_at', 'is', null)
    .execute();
  const known = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}

type TokenRow = Pick<Row<'api_tokens'>, (typeof columns)[number]>;

function toToken(row: TokenRow, projects: readonly string[]): ApiToken {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    environment: row.environment,
    projects: projects.length === 0 ? ['*'] : projects,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    seenAt: row.seen_at,
  };
}
