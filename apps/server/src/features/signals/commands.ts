import type { OwnFields, SignalAuthentication, SignalSourceName } from '@yardarm/contract';
import { badField, Problem } from '../../kernel/errors.ts';
import { newSecret } from '../../kernel/ids.ts';
import { limitReached } from '../../kernel/limits.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { checkDropped, checkOwnFields, type SignalSource, signalSources } from '../signal-sources/index.ts';
import { endpointEventData, type SignalEndpoint, type SignalToken, tokenEventData } from './endpoint.ts';
import { changesExpectation, restartExpectation, silenceJob } from './silence.ts';
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
  readonly source?: SignalSourceName | undefined;
  readonly ratePerSecond?: number | null | undefined;
  readonly burst?: number | null | undefined;
  readonly maxBodyBytes?: number | null | undefined;
  readonly maxElements?: number | null | undefined;
  readonly fields?: OwnFields | null | undefined;
  readonly dropped?: readonly string[] | undefined;
  readonly retentionDays?: number | null | undefined;
  readonly enabledUntil?: number | null | undefined;
  readonly expectedMinutes?: number | null | undefined;
  readonly whenDisabled?: SignalEndpoint['whenDisabled'] | undefined;
}

/** A token to create. */
export interface TokenInput {
  readonly name: string;
  readonly authentication?: SignalAuthentication | undefined;
  readonly header?: string | undefined;
  readonly secret?: string | undefined;
}

/** Creates an endpoint, enabled by default. Rejects with 400 over the limit, 409 when the name is taken. */
export async function createEndpoint(tx: Tx, limits: SignalLimits, input: EndpointInput): Promise<SignalEndpoint> {
  await requireFreeName(tx.db, input.name);
  if ((await store.countEndpoints(tx.db)) >= limits.endpoints)
    throw limitReached(limits.endpoints, 'signal endpoints', deleteAdvice);
  const wanted = {
    name: input.name,
    description: input.description ?? null,
    enabled: input.enabled ?? true,
    source: input.source ?? 'generic',
    ratePerSecond: input.ratePerSecond ?? null,
    burst: input.burst ?? null,
    maxBodyBytes: input.maxBodyBytes ?? null,
    maxElements: input.maxElements ?? null,
    whenDisabled: input.whenDisabled ?? 'refuse',
    fields: input.fields ?? null,
    dropped: input.dropped ?? [],
    retentionDays: input.retentionDays ?? null,
    enabledUntil: input.enabledUntil ?? null,
    expectedMinutes: input.expectedMinutes ?? null,
  } as const;
  checkRules(wanted);
  const endpoint = await store.insertEndpoint(tx, wanted);
  if (endpoint.expectedMinutes !== null) tx.enqueue(silenceJob);
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
    source: input.source ?? before.source,
    ratePerSecond: input.ratePerSecond === undefined ? before.ratePerSecond : input.ratePerSecond,
    burst: input.burst === undefined ? before.burst : input.burst,
    maxBodyBytes: input.maxBodyBytes === undefined ? before.maxBodyBytes : input.maxBodyBytes,
    maxElements: input.maxElements === undefined ? before.maxElements : input.maxElements,
    whenDisabled: input.whenDisabled ?? before.whenDisabled,
    fields: input.fields === undefined ? before.fields : input.fields,
    dropped: input.dropped ?? before.dropped,
    retentionDays: input.retentionDays === undefined ? before.retentionDays : input.retentionDays,
    enabledUntil: input.enabledUntil === undefined ? before.enabledUntil : input.enabledUntil,
    expectedMinutes: input.expectedMinutes === undefined ? before.expectedMinutes : input.expectedMinutes,
  };
  checkRules(after);
  const [preData, data] = [endpointEventData(before), endpointEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  if (after.name !== before.name) await requireFreeName(tx.db, after.name);
  await store.updateEndpointRow(tx, after);
  tx.record({ type: 'signal-endpoint-updated', preData, data });
  if (!changesExpectation(before, after)) return after;
  await restartExpectation(tx, after);
  return { ...after, silentSince: null };
}

/** Throws a 400 when a path is invalid, or the source has fields of its own. */
function checkRules(endpoint: Pick<SignalEndpoint, 'source' | 'fields' | 'dropped'>): void {
  checkOwnFields(endpoint);
  checkDropped(endpoint.dropped);
}

/** Deletes an endpoint with its tokens. The signals it received stay. */
export async function deleteEndpoint(tx: Tx, id: number): Promise<void> {
  const endpoint = await requireEndpoint(tx.db, id);
  await store.deleteEndpointRow(tx, id);
  tx.record({ type: 'signal-endpoint-deleted', preData: endpointEventData(endpoint) });
}

/**
 * Creates a token and returns its secret. Only that of a token that verifies signatures is stored, encrypted. Rejects
 * with 400 over the limit or when the source of the endpoint has no such authentication, 409 when the endpoint has a
 * token of this name.
 */
export async function createToken(
  tx: Tx,
  limits: SignalLimits,
  endpointId: number,
  input: TokenInput,
): Promise<{ token: SignalToken; secret: string }> {
  const { source } = await requireEndpoint(tx.db, endpointId);
  const tokens = await store.listTokens(tx.db, endpointId);
  const { name } = input;
  requireFreeTokenName(tokens, name);
  if (tokens.length >= limits.tokensPerEndpoint)
    throw limitReached(limits.tokensPerEndpoint, 'tokens of a signal endpoint', deleteAdvice);
  const { authentication, header } = authenticationOf(input, signalSources[source]);
  const secret = input.secret ?? newSecretFor(authentication, signalSources[source]);
  const token = await store.insertToken(tx, endpointId, { name, authentication, header, secret });
  tx.record({ type: 'signal-endpoint-token-created', data: tokenEventData(token) });
  return { token, secret };
}

function authenticationOf(
  { authentication = 'bearer', header, secret }: TokenInput,
  source: SignalSource,
): { readonly authentication: SignalAuthentication; readonly header: string | null } {
  if (authentication !== 'signature') {
    if (secret !== undefined) throw badField('secret', 'can be set only for the authentication signature');
    if (authentication !== 'header') return { authentication, header: null };
    const name = header ?? source.header;
    if (name === undefined) throw badField('header', 'must name the header in which the sender sends the secret');
    if (name === 'authorization') throw badField('header', 'must not be Authorization: choose bearer or basic');
    return { authentication, header: name };
  }
  const { signature, displayName } = source;
  if (signature === undefined)
    throw badField('authentication', `must not be signature: the source ${displayName} of the endpoint signs nothing`);
  if (secret === undefined && signature.secretLabel !== undefined)
    throw badField('secret', `must be set: ${signature.secretLabel}`);
  const problem = secret === undefined ? undefined : signature.secretProblem?.(secret);
  if (problem !== undefined) throw badField('secret', problem);
  return { authentication, header: null };
}

function newSecretFor(authentication: SignalAuthentication, { signature }: SignalSource): string {
  return (authentication === 'signature' ? signature?.newSecret?.() : undefined) ?? newSecret('signal_');
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
