import {
  droppedPathsSchema,
  ownFieldsSchema,
  type SignalAuthentication,
  type SignalSourceName,
} from '@yardarm/contract';
import { newSecret, secretHash } from '../../kernel/ids.ts';
import { jsonColumn } from '../../storage/json-column.ts';
import { sealedIn } from '../../storage/sealed-text.ts';
import type { Row } from '../../storage/tables.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import type { SignalEndpoint, SignalToken } from './endpoint.ts';

const endpointColumns = [
  ...(['id', 'name', 'description', 'enabled', 'source', 'rate_per_second', 'burst'] as const),
  ...(['max_body_bytes', 'max_elements', 'when_disabled'] as const),
  ...(['fields', 'dropped', 'retention_days', 'enabled_until', 'expected_minutes', 'silent_since'] as const),
  ...(['created_at', 'created_by_user_id'] as const),
] as const;
const tokenColumns = [
  ...(['id', 'endpoint_id', 'name', 'authentication', 'header', 'created_at', 'created_by_user_id'] as const),
] as const;

const fieldsColumn = jsonColumn('signal_endpoints.fields', ownFieldsSchema);
const droppedColumn = jsonColumn('signal_endpoints.dropped', droppedPathsSchema);

/** Returns what an endpoint does with signals while it is disabled. */
export function whenDisabledOf({ when_disabled: stored }: Pick<Row<'signal_endpoints'>, 'when_disabled'>) {
  return stored === 'keep' ? 'keep' : 'refuse';
}

/** Returns the stored paths of an endpoint. */
export function rulesOf(
  { fields, dropped }: Pick<Row<'signal_endpoints'>, 'fields' | 'dropped'>,
  id: number,
): Pick<SignalEndpoint, 'fields' | 'dropped'> {
  return { fields: fields === null ? null : fieldsColumn.parse(fields, id), dropped: droppedColumn.parse(dropped, id) };
}

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

export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<SignalEndpoint> {
  const row = await tx.db
    .insertInto('signal_endpoints')
    .values({
      ...columnsOf(endpoint),
      expected_from: tx.now,
      created_at: tx.now,
      created_by_user_id: tx.by.actor.userId,
    })
    .returning(endpointColumns)
    .executeTakeFirstOrThrow();
  return toEndpoint(row);
}

export async function updateEndpointRow(tx: Tx, endpoint: SignalEndpoint): Promise<void> {
  await tx.db.updateTable('signal_endpoints').set(columnsOf(endpoint)).where('id', '=', endpoint.id).execute();
}

/** An endpoint as its owner describes it. */
type NewEndpoint = Omit<SignalEndpoint, 'id' | 'silentSince' | 'createdAt' | 'createdByUserId'>;

function columnsOf(endpoint: NewEndpoint) {
  return {
    name: endpoint.name,
    description: endpoint.description,
    enabled: Number(endpoint.enabled),
    source: endpoint.source,
    rate_per_second: endpoint.ratePerSecond,
    burst: endpoint.burst,
    max_body_bytes: endpoint.maxBodyBytes,
    max_elements: endpoint.maxElements,
    when_disabled: endpoint.whenDisabled,
    fields: endpoint.fields === null ? null : fieldsColumn.write(endpoint.fields),
    dropped: droppedColumn.write([...endpoint.dropped]),
    retention_days: endpoint.retentionDays,
    enabled_until: endpoint.enabledUntil,
    expected_minutes: endpoint.expectedMinutes,
  };
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

export async function insertToken(
  tx: Tx,
  endpointId: number,
  {
    name,
    authentication,
    header,
    secret,
  }: Pick<SignalToken, 'name' | 'authentication' | 'header'> & { secret: string },
): Promise<SignalToken> {
  const signs = authentication === 'signature';
  const row = await tx.db
    .insertInto('signal_endpoint_tokens')
    .values({
      endpoint_id: endpointId,
      name,
      authentication,
      header,
      // A secret that signs is looked up by its endpoint: no request may present it as a token.
      secret_hash: secretHash(signs ? newSecret('signature_') : secret),
      signing_secret: signs ? sealedIn(tx.db, secret) : '',
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

function toEndpoint(row: Omit<Row<'signal_endpoints'>, 'expected_from'>): SignalEndpoint {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    enabled: row.enabled === 1,
    source: row.source as SignalSourceName,
    ratePerSecond: row.rate_per_second,
    burst: row.burst,
    maxBodyBytes: row.max_body_bytes,
    maxElements: row.max_elements,
    whenDisabled: whenDisabledOf(row),
    ...rulesOf(row, row.id),
    retentionDays: row.retention_days,
    enabledUntil: row.enabled_until,
    expectedMinutes: row.expected_minutes,
    silentSince: row.silent_since,
    createdAt: row.created_at,
    createdByUserId: row.created_by_user_id,
  };
}

function toToken(row: Omit<Row<'signal_endpoint_tokens'>, 'secret_hash' | 'signing_secret'>): SignalToken {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    name: row.name,
    authentication: row.authentication as SignalAuthentication,
    header: row.header,
    createdAt: row.created_at,
    createdByUserId: row.created_by_user_id,
  };
}
