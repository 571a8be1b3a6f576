import {
  countFailedLogins,
  countRefusedChanges,
  type FailedLogins,
  type RefusedChanges,
} from '#features/people/security-events/index.ts';
import { countRefusedSignals, type RefusedSignals } from '#features/signals/signals/index.ts';
import type { ServiceDependencies } from './dependencies.ts';

export interface SecurityEvents {
  readonly failedLogins: FailedLogins;
  readonly refusedChanges: RefusedChanges;
  readonly refusedSignals: RefusedSignals;
}

/** Builds the recorders that combine many failed logins, refused changes or refused signals into one event. */
export function buildSecurityEvents({
  clock,
  database,
  log,
  lifetime,
  firstCountMs,
}: ServiceDependencies): SecurityEvents {
  const onError = (error: unknown) =>
    log.error({ err: error }, 'recording failed logins, refused changes or refused signals failed; it is retried');
  const options = { clock, onError, firstWindowMs: firstCountMs };
  const failedLogins = countFailedLogins(database, options);
  const refusedChanges = countRefusedChanges(database, options);
  const refusedSignals = countRefusedSignals(database, options);
  lifetime.onStop('failed logins', () => failedLogins.stop());
  lifetime.onStop('refused changes', () => refusedChanges.stop());
  lifetime.onStop('refused signals', () => refusedSignals.stop());
  return { failedLogins, refusedChanges, refusedSignals };
}
