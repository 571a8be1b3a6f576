import type { Row } from '../../storage/tables.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import type { SignalEndpoint, SignalToken } from './endpoint.ts';

const endpointColumns = ['id', 'name', 'description', 'enabled', 'created_at', 'created_by_user_id'] as const;
const tokenColumns = ['id', 'endpoint_id', 'name', 'created_at', 'created_by_user_id'] as const;

export async function listEndpoints(db: Db): Promise<SignalEndpoint[]> {
  const rows = await db.selectFrom('signal_endpoints').select(endpointColumns).orderBy('id', 'desc').execute();
  return rows.map(toEndpoint);
}

export async function findEndpoint(db: Db, id: number): Promise<SignalEndpoint | undefined> {
  const row = await db.selectFrom('signal_endpoints').select(endpointColumns).where('id', '=', id).executeTakeFirst();
  return row && toEndpoint(row);
}

export async function findEndpointNamed(db: Db, name: string): Promise<SignalEndpoint | undefined> {
  const row = await db
    .selectFrom('signal_endpoints')
    .select(endpointColumns)
    .where('name', '=', name)
    .executeTakeFirst();
  return row && toEndpoint(row);
}

export async function countEndpoints(db: Db): Promise<number> {
  const row = await db
    .selectFrom('signal_endpoints')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}

export async function insertEndpoint(
  tx: Tx,
  endpoint: Pick<SignalEndpoint, 'name' | 'description' | 'enabled'>,
): Promise<SignalEndpoint> {
  const row = await tx.db
    .insertInto('signal_endpoints')
    .values({
      name: endpoint.name,
      description: endpoint.description,
      enabled: Number(endpoint.enabled),
      created_at: tx.now,
      created_by_user_id: tx.by.actor.userId,
    })
    .returning(endpointColumns)
    .executeTakeFirstOrThrow();
  return toEndpoint(row);
}

export async function updateEndpointRow(tx: Tx, endpoint: SignalEndpoint): Promise<void> {
  await tx.db
    .updateTable('signal_endpoints')
    .set({ name: endpoint.name, description: endpoint.description, enabled: Number(endpoint.enabled) })
    .where('id', '=', endpoint.id)
    .execute();
}

export async function deleteEndpointRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('signal_endpoints').where('id', '=', id).execute();
}

/** Returns the tokens of an endpoint, or of all endpoints, oldest first. */
export async function listTokens(db: Db, endpointId?: number): Promise<SignalToken[]> {
  let query = db.selectFrom('signal_endpoint_tokens').select(tokenColumns).orderBy('id');
  if (endpointId !== undefined) query = query.where('endpoint_id', '=', endpointId);
  return (await query.execute()).map(toToken);
}

export async function insertToken(tx: Tx, endpointId: number, name: string, secretHash: string): Promise<SignalToken> {
  const row = await tx.db
    .insertInto('signal_endpoint_tokens')
    .values({
      endpoint_id: endpointId,
      name,
      secret_hash: secretHash,
      created_at: tx.now,
      created_by_user_id: tx.by.actor.userId,
    })
    .returning(tokenColumns)
    .executeTakeFirstOrThrow();
  return toToken(row);
}

export async function renameTokenRow(tx: Tx, id: number, name: string): Promise<void> {
  await tx.db.updateTable('signal_endpoint_tokens').set({ name }).where('id', '=', id).execute();
}

export async function deleteTokenRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('signal_endpoint_tokens').where('id', '=', id).execute();
}

/** Returns the endpoint that the token with this hash gives access to. */
export async function findTokenAccess(
  db: Db,
  secretHash: string,
): Promise<{ tokenId: number; endpointId: number; endpointName: string; enabled: boolean } | undefined> {
  const row = await db
    .selectFrom('signal_endpoint_tokens as t')
    .innerJoin('signal_endpoints as e', 'e.id', 't.endpoint_id')
    .select(['t.id', 't.endpoint_id', 'e.name', 'e.enabled'])
    .where('t.secret_hash', '=', secretHash)
    .executeTakeFirst();
  return row && { tokenId: row.id, endpointId: row.endpoint_id, endpointName: row.name, enabled: row.enabled === 1 };
}

function toEndpoint(row: Row<'signal_endpoints'>): SignalEndpoint {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    enabled: row.enabled === 1,
    createdAt: row.created_at,
    createdByUserId: row.created_by_user_id,
  };
}

function toToken(row: Omit<Row<'signal_endpoint_tokens'>, 'secret_hash'>): SignalToken {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    name: row.name,
    createdAt: row.created_at,
    createdByUserId: row.created_by_user_id,
  };
}
