import {
  type Attempt,
  type Delivery,
  type Health,
  type SigningKey,
  verificationKey,
} from '#features/platform/deliveries/index.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { EventRow } from '#storage/tables/events.ts';

/** Presents the health of an integration, with its signing key where that is public. */
export function presentHealth(
  integrationId: number,
  health: Health | undefined,
  unsent: { readonly waiting: number; readonly dead: number } = { waiting: 0, dead: 0 },
  keys: readonly SigningKey[],
  now: number,
) {
  const key = keys.find(({ until }) => until === null);
  const previous = keys.find(({ until }) => until !== null && until > now);
  return {
    integrationId,
    ...unsent,
    failingSince: isoTimeOrNull(health?.failingSince ?? null),
    consecutiveFailures: health?.consecutiveFailures ?? 0,
    consecutiveDeadLetters: health?.deadLetters ?? 0,
    pausedAt: isoTimeOrNull(health?.pausedAt ?? null),
    lastError: health?.lastError ?? null,
    signing:
      key === undefined
        ? null
        : {
            algorithm: key.algorithm,
            createdAt: isoTime(key.createdAt),
            publicKey: key.algorithm === 'ed25519' ? verificationKey(key) : null,
            previousUntil: isoTimeOrNull(previous?.until ?? null),
          },
  };
}

export function presentDelivery(delivery: Delivery, event: EventRow | undefined) {
  const { id, messageId, state, attempts, status, details, createdAt, nextAttemptAt, settledAt } = delivery;
  return {
    id,
    messageId,
    state,
    attempts,
    status,
    details,
    createdAt: isoTime(createdAt),
    nextAttemptAt: isoTimeOrNull(nextAttemptAt),
    settledAt: isoTimeOrNull(settledAt),
    event:
      event === undefined
        ? null
        : {
            id: event.id,
            type: event.type,
            project: event.project,
            featureName: event.feature_name,
            environment: event.environment,
          },
  };
}

export function presentAttempt({ attemptedAt, ...attempt }: Attempt) {
  return { attemptedAt: isoTime(attemptedAt), ...attempt };
}
