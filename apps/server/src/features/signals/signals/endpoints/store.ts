import {
  ownFieldsSchema,
  redactedPathsSchema,
  type SignalAuthentication,
  type SignalSourceName,
} from '@yardarm/contract';
import { type Filters, storedFilters } from '#features/platform/payload-filters/index.ts';
import type { Redaction } from '#features/signals/signal-sources/index.ts';
import { newSecret, secretHash } from '#kernel/ids.ts';
import { jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import { openedIn, sealedIn } from '#storage/sealed-text.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { SignalEndpoint, SignalToken } from './endpoint.ts';

const endpointColumns = [
  ...(['id', 'name', 'description', 'enabled', 'source', 'rate_per_second', 'burst'] as const),
  ...(['max_body_bytes', 'max_elements', 'when_disabled', 'one_sender'] as const),
  ...(['fields', 'dropped', 'hashed', 'retention_days', 'enabled_until'] as const),
  ...(['expected_minutes', 'expected_filters', 'silent_since', 'created_at', 'created_by_user_id'] as const),
] as const;
const tokenColumns = [
  ...(['id', 'endpoint_id', 'name', 'sender', 'authentication', 'header', 'rate_per_second', 'burst'] as const),
  ...(['max_body_bytes', 'enabled_until', 'created_at', 'created_by_user_id'] as const),
] as const;

const fieldsColumn = jsonColumn('signal_endpoints.fields', ownFieldsSchema);
const droppedColumn = jsonColumn('signal_endpoints.dropped', redactedPathsSchema);
const hashedColumn = jsonColumn('signal_endpoints.hashed', redactedPathsSchema);
const expectedFiltersColumn = jsonColumn<Filters>('signal_endpoints.expected_filters', storedFilters);

/** Returns what an endpoint does with signals while it is disabled. */
export function whenDisabledOf({ when_disabled: stored }: Pick<Row<'signal_endpoints'>, 'when_disabled'>) {
  return stored === 'keep' ? 'keep' : 'refuse';
}

/** Returns the stored filters of the signals that an endpoint expects. */
export function expectedFiltersOf(
  { expected_filters: stored }: Pick<Row<'signal_endpoints'>, 'expected_filters'>,
  id: number,
): Filters {
  return expectedFiltersColumn.parse(stored, id);
}

/** Returns the stored paths of an endpoint: of the recognised fields, and of values to drop or to hash. */
export function rulesOf(
  { fields, dropped, hashed }: Pick<Row<'signal_endpoints'>, 'fields' | 'dropped' | 'hashed'>,
  id: number,
): Pick<SignalEndpoint, 'fields' | 'dropped' | 'hashed'> {
  return {
    fields: fields === null ? null : fieldsColumn.parse(fields, id),
    dropped: droppedColumn.parse(dropped, id),
    hashed: hashedColumn.parse(hashed, id),
  };
}

type EndpointRow = Pick<Row<'signal_endpoints'>, (typeof endpointColumns)[number]>;

export async function listEndpoints(db: Db): Promise<SignalEndpoint[]> {
  const rows = await db.selectFrom('signal_endpoints').select(endpointColumns).orderBy('id', 'desc').execute();
  return rows.map(toEndpoint);
}

const selectEndpoint = prepared<{ id: number }>().query((db, { id }) =>
  db.selectFrom('signal_endpoints').select(endpointColumns).where('id', '=', id),
);

export async function findEndpoint(db: Db, id: number): Promise<SignalEndpoint | undefined> {
  const [row] = await selectEndpoint(db, { id });
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
      hash_key: endpoint.hashed.length === 0 ? '' : newHashKey(tx.db),
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
  if (endpoint.hashed.length === 0) return;
  // The key stays when paths are removed and added again, so that hashes stay comparable.
  const keyless = tx.db.updateTable('signal_endpoints').where('id', '=', endpoint.id).where('hash_key', '=', '');
  await keyless.set({ hash_key: newHashKey(tx.db) }).execute();
}

/** Returns a new key for hashing values, sealed for the column `hash_key`. */
export function newHashKey(db: Db): string {
  return sealedIn(db, newSecret('hash_'));
}

/** Returns the key for hashed values of an endpoint; empty when it has none. */
export function openedHashKey(db: Db, stored: string): string {
  return openedIn(db, stored, 'The key for hashed values of a signal endpoint') ?? '';
}

/** Returns the paths of the values of an endpoint that must not be stored, and the key for hashes. */
export async function redactionOf(db: Db, { id, dropped, hashed }: SignalEndpoint): Promise<Redaction> {
  if (hashed.length === 0) return { dropped, hashed, hashKey: '' };
  const row = await db.selectFrom('signal_endpoints').select('hash_key').where('id', '=', id).executeTakeFirstOrThrow();
  return { dropped, hashed, hashKey: openedHashKey(db, row.hash_key) };
}

/** An endpoint as its owner describes it. */
type NewEndpoint = Omit<SignalEndpoint, 'id' | 'silentSince' | 'createdAt' | 'createdByUserId'>;

function columnsOf(endpoint: NewEndpoint) {
  return {
    name: endpoint.name,
    description: endpoint.description,
    enabled: Number(endpoint.enabled),
    source: endpoint.source,
    one_sender: Number(endpoint.oneSender),
    rate_per_second: endpoint.ratePerSecond,
    burst: endpoint.burst,
    max_body_bytes: endpoint.maxBodyBytes,
    max_elements: endpoint.maxElements,
    when_disabled: endpoint.whenDisabled,
    fields: endpoint.fields === null ? null : fieldsColumn.write(endpoint.fields),
    dropped: droppedColumn.write([...endpoint.dropped]),
    hashed: hashedColumn.write([...endpoint.hashed]),
    retention_days: endpoint.retentionDays,
    enabled_until: endpoint.enabledUntil,
    expected_minutes: endpoint.expectedMinutes,
    expected_filters: expectedFiltersColumn.write(endpoint.expectedFilters),
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

/** A token as its owner describes it. */
export type NewToken = Omit<SignalToken, 'id' | 'endpointId' | 'createdAt' | 'createdByUserId'>;

export async function insertToken(tx: Tx, endpointId: number, token: NewToken, secret: string): Promise<SignalToken> {
  const signs = token.authentication === 'signature';
  const row = await tx.db
    .insertInto('signal_endpoint_tokens')
    .values({
      endpoint_id: endpointId,
      authentication: token.authentication,
      header: token.header,
      ...changeableColumnsOf(token),
      // A signing secret is found through its endpoint, so the row gets a random hash: no request may present the
      // secret itself as a token.
      secret_hash: secretHash(signs ? newSecret('signature_') : secret),
      signing_secret: signs ? sealedIn(tx.db, secret) : '',
      created_at: tx.now,
      created_by_user_id: tx.by.actor.userId,
    })
    .returning(tokenColumns)
    .executeTakeFirstOrThrow();
  return toToken(row);
}

export async function updateTokenRow(tx: Tx, token: SignalToken): Promise<void> {
  const changed = changeableColumnsOf(token);
  await tx.db.updateTable('signal_endpoint_tokens').set(changed).where('id', '=', token.id).execute();
}

function changeableColumnsOf({ name, sender, ratePerSecond, burst, maxBodyBytes, enabledUntil }: NewToken) {
  return {
    name,
    sender,
    rate_per_second: ratePerSecond,
    burst,
    max_body_bytes: maxBodyBytes,
    enabled_until: enabledUntil,
  };
}

export async function deleteTokenRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('signal_endpoint_tokens').where('id', '=', id).execute();
}

function toEndpoint(row: EndpointRow): SignalEndpoint {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    enabled: row.enabled === 1,
    source: row.source as SignalSourceName,
    oneSender: row.one_sender === 1,
    ratePerSecond: row.rate_per_second,
    burst: row.burst,
    maxBodyBytes: row.max_body_bytes,
    maxElements: row.max_elements,
    whenDisabled: whenDisabledOf(row),
    ...rulesOf(row, row.id),
    retentionDays: row.retention_days,
    enabledUntil: row.enabled_until,
    expectedMinutes: row.expected_minutes,
    expectedFilters: expectedFiltersOf(row, row.id),
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
    sender: row.sender,
    authentication: row.authentication as SignalAuthentication,
    header: row.header,
    ratePerSecond: row.rate_per_second,
    burst: row.burst,
    maxBodyBytes: row.max_body_bytes,
    enabledUntil: row.enabled_until,
    createdAt: row.created_at,
    createdByUserId: row.created_by_user_id,
  };
}
