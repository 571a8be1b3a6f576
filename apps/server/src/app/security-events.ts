import {
  countFailedLogins,
  countRefusedChanges,
  type FailedLogins,
  type RefusedChanges,
} from '../features/security-events/index.ts';
import type { ServiceDependencies } from './dependencies.ts';

export interface SecurityEvents {
  readonly failedLogins: FailedLogins;
  readonly refusedChanges: RefusedChanges;
}

/** Wires the events that stand for many occurrences: failed logins and refused changes. */
export function buildSecurityEvents({
  clock,
  database,
  log,
  lifetime,
  firstCountMs,
}: ServiceDependencies): SecurityEvents {
  const onError = (error: unknown) =>
    log.error({ err: error }, 'recording failed logins or refused changes failed; it is retried');
  const options = { clock, onError, firstWindowMs: firstCountMs };
  const failedLogins = countFailedLogins(database, options);
  const refusedChanges = countRefusedChanges(database, options);
  lifetime.onStop('failed logins', () => failedLogins.stop());
  lifetime.onStop('refused changes', () => refusedChanges.stop());
  return { failedLogins, refusedChanges };
}
