import type { EventType } from '@yardarm/contract';
import { badField, Problem } from '../../kernel/errors.ts';
import { newSecret, secretHash } from '../../kernel/ids.ts';
import type { Tx } from '../../storage/tx.ts';
import { type PersonalToken, secretPrefix, tokenEventData } from './personal-token.ts';
import * as store from './store.ts';

/** Most tokens of one account (docs/spec#personal-tokens). */
const maxTokens = 10;

export interface TokenInput {
  readonly description: string;
  /** Milliseconds UTC. */
  readonly expiresAt: number;
}

/**
 * Creates a token of an account that exists; `secret` is known only now. 400 when it would be over already, 403 when
 * the account has 10, 409 when it has one of that description. `event` is what to record.
 */
export async function createToken(
  tx: Tx,
  ownerId: number,
  input: TokenInput,
  event: EventType,
): Promise<{ token: PersonalToken; secret: string }> {
  const { description, expiresAt } = input;
  if (expiresAt <= tx.now) throw badField('expiresAt', 'must be in the future');
  const tokens = await store.listTokens(tx.db, ownerId);
  if (tokens.some((token) => token.description === description)) {
    throw new Problem('NameExistsError', `There is a token with the description ${description} already.`, {
      details: [{ message: 'is taken', path: 'description' }],
    });
  }
  if (tokens.length >= maxTokens) {
    throw new Problem(
      'OperationDeniedError',
      `There are ${maxTokens} tokens already, which is the most; delete one that is not used.`,
    );
  }
  const secret = newSecret(secretPrefix);
  const token = await store.insertToken(tx, { ownerId, description, expiresAt }, secretHash(secret));
  tx.record({ type: event, data: eventData(event, token) });
  return { token, secret };
}

/** Deletes a token of an account; 404 when the account has no such token. */
export async function deleteToken(tx: Tx, ownerId: number, id: number, event: EventType): Promise<void> {
  const token = (await store.listTokens(tx.db, ownerId)).find((candidate) => candidate.id === id);
  if (token === undefined) throw new Problem('NotFoundError', `There is no token ${id} here.`);
  await store.deleteTokenRow(tx, id);
  tx.record({ type: event, data: eventData(event, token) });
}

/** The events of service accounts name the account that owns the token (docs/spec#event-types). */
function eventData(event: EventType, token: PersonalToken): Record<string, unknown> {
  const data = tokenEventData(token);
  return event.startsWith('service-account-') ? { ...data, ownerId: token.ownerId } : data;
}
