import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';

/** A token that acts as the user or service account it belongs to, without its secret. */
export interface PersonalToken {
  readonly id: number;
  readonly ownerId: number;
  readonly description: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly seenAt: number | null;
}

/** The prefix of the secrets of personal tokens (docs/spec#token-kinds). */
export const secretPrefix = 'user:';

/** Returns the token as events store it, without its secret. */
export function tokenEventData(token: PersonalToken): Record<string, unknown> {
  return {
    id: token.id,
    description: token.description,
    userId: token.ownerId,
    createdAt: isoTime(token.createdAt),
    expiresAt: isoTime(token.expiresAt),
  };
}

export function presentToken(token: PersonalToken) {
  return {
    id: token.id,
    description: token.description,
    userId: token.ownerId,
    createdAt: isoTime(token.createdAt),
    expiresAt: isoTime(token.expiresAt),
    seenAt: isoTimeOrNull(token.seenAt),
  };
}
