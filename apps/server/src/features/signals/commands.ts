import { Problem } from '../../kernel/errors.ts';
import { newSecret, secretHash } from '../../kernel/ids.ts';
import { limitReached } from '../../kernel/limits.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { endpointEventData, type SignalEndpoint, type SignalToken, tokenEventData } from './endpoint.ts';
import * as store from './store.ts';

const deleteAdvice = 'Delete one that is no longer used.';

/** The maximum number of endpoints of the instance, and of tokens of an endpoint (docs/spec#signal-limits). */
export interface SignalLimits {
  readonly endpoints: number;
  readonly tokensPerEndpoint: number;
}

export interface EndpointInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

/** Creates an endpoint, enabled by default. Rejects with 400 over the limit, 409 when the name is taken. */
export async function createEndpoint(tx: Tx, limits: SignalLimits, input: EndpointInput): Promise<SignalEndpoint> {
  await requireFreeName(tx.db, input.name);
  if ((await store.countEndpoints(tx.db)) >= limits.endpoints)
    throw limitReached(limits.endpoints, 'signal endpoints', deleteAdvice);
  const endpoint = await store.insertEndpoint(tx, {
    name: input.name,
    description: input.description ?? null,
    enabled: input.enabled ?? true,
  });
  tx.record({ type: 'signal-endpoint-created', data: endpointEventData(endpoint) });
  return endpoint;
}

/** Changes the fields that `input` names. Records no event when nothing changes. */
export async function updateEndpoint(tx: Tx, id: number, input: Partial<EndpointInput>): Promise<SignalEndpoint> {
  const before = await requireEndpoint(tx.db, id);
  const after: SignalEndpoint = {
    ...before,
    name: input.name ?? before.name,
    description: input.description === undefined ? before.description : input.description,
    enabled: input.enabled ?? before.enabled,
  };
  const [preData, data] = [endpointEventData(before), endpointEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  if (after.name !== before.name) await requireFreeName(tx.db, after.name);
  await store.updateEndpointRow(tx, after);
  tx.record({ type: 'signal-endpoint-updated', preData, data });
  return after;
}

/** Deletes an endpoint with its tokens. The signals it received stay. */
export async function deleteEndpoint(tx: Tx, id: number): Promise<void> {
  const endpoint = await requireEndpoint(tx.db, id);
  await store.deleteEndpointRow(tx, id);
  tx.record({ type: 'signal-endpoint-deleted', preData: endpointEventData(endpoint) });
}

/**
 * Creates a token and returns its secret, which is not stored. Rejects with 400 over the limit, 409 when the endpoint
 * has a token of this name.
 */
export async function createToken(
  tx: Tx,
  limits: SignalLimits,
  endpointId: number,
  name: string,
): Promise<{ token: SignalToken; secret: string }> {
  await requireEndpoint(tx.db, endpointId);
  const tokens = await store.listTokens(tx.db, endpointId);
  requireFreeTokenName(tokens, name);
  if (tokens.length >= limits.tokensPerEndpoint)
    throw limitReached(limits.tokensPerEndpoint, 'tokens of a signal endpoint', deleteAdvice);
  const secret = newSecret('signal_');
  const token = await store.insertToken(tx, endpointId, name, secretHash(secret));
  tx.record({ type: 'signal-endpoint-token-created', data: tokenEventData(token) });
  return { token, secret };
}

export async function renameToken(tx: Tx, endpointId: number, id: number, name: string): Promise<SignalToken> {
  const tokens = await store.listTokens(tx.db, endpointId);
  const before = requireToken(tokens, id);
  if (before.name === name) return before;
  requireFreeTokenName(tokens, name);
  await store.renameTokenRow(tx, id, name);
  const after = { ...before, name };
  tx.record({ type: 'signal-endpoint-token-updated', preData: tokenEventData(before), data: tokenEventData(after) });
  return after;
}

export async function deleteToken(tx: Tx, endpointId: number, id: number): Promise<void> {
  const token = requireToken(await store.listTokens(tx.db, endpointId), id);
  await store.deleteTokenRow(tx, id);
  tx.record({ type: 'signal-endpoint-token-deleted', preData: tokenEventData(token) });
}

/** Returns the endpoint. Rejects with 404 when it does not exist. */
export async function requireEndpoint(db: Db, id: number): Promise<SignalEndpoint> {
  const endpoint = await store.findEndpoint(db, id);
  if (endpoint === undefined) throw new Problem('NotFoundError', `There is no signal endpoint ${id}.`);
  return endpoint;
}

async function requireFreeName(db: Db, name: string): Promise<void> {
  if ((await store.findEndpointNamed(db, name)) === undefined) return;
  throw new Problem('NameExistsError', `A signal endpoint named ${name} exists already.`, {
    details: [{ message: 'is taken', path: 'name' }],
  });
}

function requireToken(tokens: readonly SignalToken[], id: number): SignalToken {
  const token = tokens.find((candidate) => candidate.id === id);
  if (token === undefined) throw new Problem('NotFoundError', `This signal endpoint has no token ${id}.`);
  return token;
}

function requireFreeTokenName(tokens: readonly SignalToken[], name: string): void {
  if (!tokens.some((token) => token.name === name)) return;
  throw new Problem('NameExistsError', `This signal endpoint already has a token named ${name}.`, {
    details: [{ message: 'is taken', path: 'name' }],
  });
}
