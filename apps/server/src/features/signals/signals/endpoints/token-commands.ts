import type { SignalAuthentication } from '@yardarm/contract';
import { type SignalSource, signalSources } from '#features/signals/signal-sources/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { requireFuture } from '#kernel/future.ts';
import { newSecret } from '#kernel/ids.ts';
import { limitReached } from '#kernel/limits.ts';
import type { Tx } from '#storage/tx.ts';
import { type SignalToken, tokenEventData } from './endpoint.ts';
import { deleteAdvice, requireEndpoint, type SignalLimits } from './require-endpoint.ts';
import * as store from './store.ts';

/** The fields of a token that can be changed. */
interface TokenChanges {
  readonly name: string;
  readonly sender?: string | null | undefined;
  readonly ratePerSecond?: number | null | undefined;
  readonly burst?: number | null | undefined;
  readonly maxBodyBytes?: number | null | undefined;
  readonly enabledUntil?: number | null | undefined;
}

/** A token to create. */
interface TokenInput extends TokenChanges {
  readonly authentication?: SignalAuthentication | undefined;
  readonly header?: string | undefined;
  readonly secret?: string | undefined;
}

/**
 * Creates a token and returns its secret. Stores the secret itself, encrypted, only for a token that verifies
 * signatures. Rejects with 400 over the limit or when the source of the endpoint has no such authentication, and with
 * 409 when the endpoint has a token of this name.
 */
export async function createToken(
  tx: Tx,
  limits: SignalLimits,
  endpointId: number,
  input: TokenInput,
): Promise<{ token: SignalToken; secret: string }> {
  const { source, oneSender } = await requireEndpoint(tx.db, endpointId);
  const tokens = await store.listTokens(tx.db, endpointId);
  const { name } = input;
  requireFreeTokenName(tokens, name);
  requireFuture('enabledUntil', input.enabledUntil, tx.now);
  if (tokens.length >= limits.tokensPerEndpoint)
    throw limitReached(limits.tokensPerEndpoint, 'tokens of a signal endpoint', deleteAdvice);
  const { authentication, header } = authenticationOf(input, signalSources[source]);
  const secret = input.secret ?? newSecretFor(authentication, signalSources[source]);
  const { ratePerSecond = null, burst = null, maxBodyBytes = null, enabledUntil = null } = input;
  // The first sender needs no name. A token that is added without a sender belongs to another one.
  const unnamed = oneSender || tokens.length === 0;
  const sender = input.sender === undefined ? (unnamed ? null : name) : input.sender;
  const wanted = { name, sender, authentication, header, ratePerSecond, burst, maxBodyBytes, enabledUntil };
  const token = await store.insertToken(tx, endpointId, wanted, secret);
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

/** Changes the name and the limits that `input` names. Records no event when nothing changes. */
export async function updateToken(tx: Tx, endpointId: number, id: number, input: TokenChanges): Promise<SignalToken> {
  const tokens = await store.listTokens(tx.db, endpointId);
  const before = requireToken(tokens, id);
  requireFuture('enabledUntil', input.enabledUntil, tx.now, before.enabledUntil);
  const after = {
    ...before,
    name: input.name,
    sender: input.sender === undefined ? before.sender : input.sender,
    ratePerSecond: input.ratePerSecond === undefined ? before.ratePerSecond : input.ratePerSecond,
    burst: input.burst === undefined ? before.burst : input.burst,
    maxBodyBytes: input.maxBodyBytes === undefined ? before.maxBodyBytes : input.maxBodyBytes,
    enabledUntil: input.enabledUntil === undefined ? before.enabledUntil : input.enabledUntil,
  };
  const [preData, data] = [tokenEventData(before), tokenEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  if (after.name !== before.name) requireFreeTokenName(tokens, after.name);
  await store.updateTokenRow(tx, after);
  tx.record({ type: 'signal-endpoint-token-updated', preData, data });
  return after;
}

export async function deleteToken(tx: Tx, endpointId: number, id: number): Promise<void> {
  const token = requireToken(await store.listTokens(tx.db, endpointId), id);
  await store.deleteTokenRow(tx, id);
  tx.record({ type: 'signal-endpoint-token-deleted', preData: tokenEventData(token) });
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
