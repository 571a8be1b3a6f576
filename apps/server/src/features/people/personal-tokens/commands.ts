import type { EventType } from '@yardarm/contract';
import { isoTime } from '#kernel/clock.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { requireFuture } from '#kernel/future.ts';
import { newSecret, secretHash } from '#kernel/ids.ts';
import type { Tx } from '#storage/tx.ts';
import { type PersonalToken, secretPrefix, tokenEventData } from './personal-token.ts';
import * as store from './store.ts';

/** The highest number of tokens of one account (docs/spec#personal-tokens). */
const maxTokens = 10;

export interface TokenInput {
  readonly description: string;
  /** Milliseconds UTC. */
  readonly expiresAt: number;
}

/**
 * Creates a token of an account and returns it with its secret, of which only a hash is stored. Rejects with 400 when
 * `expiresAt` is not in the future, 403 when the account has 10 tokens, and 409 when one of them has this description.
 * `event` is the event type to record.
 */
export async function createToken(
  tx: Tx,
  ownerId: number,
  input: TokenInput,
  event: EventType,
): Promise<{ token: PersonalToken; secret: string }> {
  const { description, expiresAt } = input;
  requireFuture('expiresAt', expiresAt, tx.now);
  const tokens = await store.listTokens(tx.db, ownerId);
  if (tokens.some((token) => token.description === description)) {
    throw new Problem(
      'NameExistsError',
      `A token with the description ${description} exists already. Choose another description.`,
      {
        details: [{ message: 'is taken', path: 'description' }],
      },
    );
  }
  if (tokens.length >= maxTokens) {
    throw new Problem(
      'OperationDeniedError',
      `The limit of ${maxTokens} tokens is reached. Delete a token that is not used.`,
    );
  }
  const secret = newSecret(secretPrefix);
  const token = await store.insertToken(tx, { ownerId, description, expiresAt }, secretHash(secret));
  tx.record({ type: event, data: eventData(event, token) });
  return { token, secret };
}

/** The difference that the clock of a caller may have, who asks for the longest life. */
const clockToleranceMs = 5 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** Rejects with 400 when a token would live longer than `days` days; 0 sets no limit. */
export function requireLifeWithin(days: number, expiresAt: number, now: number): void {
  const latest = now + days * dayMs;
  if (days === 0 || expiresAt <= latest + clockToleranceMs) return;
  const limit = `${days === 1 ? '1 day' : `${days} days`} from now`;
  throw badField(
    'expiresAt',
    `must be at most ${limit}, ${isoTime(latest)}. The setting YARDARM_PERSONAL_TOKEN_DAYS sets the limit`,
  );
}

/** Deletes a token of an account. Rejects with 404 when the account has no such token. */
export async function deleteToken(tx: Tx, ownerId: number, id: number, event: EventType): Promise<void> {
  const token = (await store.listTokens(tx.db, ownerId)).find((candidate) => candidate.id === id);
  if (token === undefined) throw new Problem('NotFoundError', `This account has no token ${id}.`);
  await remove(tx, token, event);
}

/** Deletes a token of any account. Rejects with 404 when there is no such token. */
export async function deleteTokenOfAnyone(tx: Tx, id: number): Promise<void> {
  const found = await store.findOwnedToken(tx.db, id);
  if (found === undefined) throw new Problem('NotFoundError', `There is no personal token ${id}.`);
  await remove(tx, found.token, found.owner.kind === 'user' ? 'pat-deleted' : 'service-account-token-deleted');
}

async function remove(tx: Tx, token: PersonalToken, event: EventType): Promise<void> {
  await store.deleteTokenRow(tx, token.id);
  tx.record({ type: event, data: eventData(event, token) });
}

/**
 * Returns the data of the event. Events of service accounts also name the owner of the token (docs/spec#event-types).
 */
function eventData(event: EventType, token: PersonalToken): Record<string, unknown> {
  const data = tokenEventData(token);
  return event.startsWith('service-account-') ? { ...data, ownerId: token.ownerId } : data;
}
