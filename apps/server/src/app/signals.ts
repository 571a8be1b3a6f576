import type { signalRoutes, signalSourceRoutes, signalSubscriptionRoutes } from '@yardarm/contract';
import { refusalReasons } from '@yardarm/contract';
import type { Runner } from '#features/automation/actions/index.ts';
import { AlertTracker } from '#features/automation/firing-alerts/index.ts';
import type { Activity } from '#features/log/activity/index.ts';
import { Certificates, signalSourceHandlers } from '#features/signals/signal-sources/index.ts';
import {
  createIngest,
  createSignalGuard,
  type Ingest,
  Refusals,
  type RefusedSignals,
  signalHandlers,
  silentEndpoints,
  subscriptionHandlers,
  watchSilence,
} from '#features/signals/signals/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import type { Handlers } from '#http/handler.ts';
import type { Guards } from '#http/request.ts';
import type { JobKind } from '#jobs/runner.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { limitsOf } from './limits.ts';

interface Signals {
  readonly alerts: AlertTracker;
  readonly ingest: Ingest;
  readonly guard: Guards['signal'];
  readonly jobs: readonly JobKind[];
  readonly handlers: Handlers<typeof signalRoutes & typeof signalSourceRoutes & typeof signalSubscriptionRoutes>;
}

/** Wires signals. Stored signals wake the actions and the live pages. */
export function buildSignals(
  parts: ServiceDependencies,
  badTokens: BadTokenLimit,
  activity: Activity,
  runner: Runner,
  refusedSignals: RefusedSignals,
): Signals {
  const { config, clock, database, log, metrics, lifetime, publicUrl, fetchText } = parts;
  const alerts = new AlertTracker(database, (error) =>
    log.error({ err: error }, 'reading the alerts of signals failed; it is retried'),
  );
  const onStored = (endpointIds: readonly number[]) => {
    if (endpointIds.length === 0) return;
    activity.note('signals');
    runner.wake(endpointIds);
    alerts.wake();
  };
  const endpointLimits = {
    ratePerSecond: config.signalRatePerSecond,
    burst: config.signalBurst,
    maxBodyBytes: config.signalMaxBodyBytes,
  };
  const ingest = createIngest(database, clock, onStored);
  lifetime.onStop('ingest', () => ingest.idle());
  const refusals = buildRefusals(parts, refusedSignals);
  const limits = limitsOf(config).signals;
  metrics.watchEach(
    'signal_endpoint_silent',
    '1 while an endpoint expects a signal and gets none',
    'endpoint',
    async () => (await silentEndpoints(database.db).catch(() => [])).map(({ name }) => [name, 1] as const),
  );
  return {
    alerts,
    ingest,
    jobs: [watchSilence(clock.now(), onStored)],
    guard: createSignalGuard({
      database,
      clock,
      limits: endpointLimits,
      badTokens,
      refusals,
      certificates: new Certificates(fetchText, clock),
    }),
    handlers: {
      ...signalHandlers({
        database,
        ingest,
        onOwnStored: onStored,
        onSubscription: () => activity.note('signals'),
        limits,
        endpointLimits,
        refusals,
        publicUrl,
      }),
      ...signalSourceHandlers(),
      ...subscriptionHandlers(database, fetchText),
    },
  };
}

/** Creates the counts of refused signals, and their metric. */
function buildRefusals(
  { clock, database, log, metrics, lifetime }: ServiceDependencies,
  refusedSignals: RefusedSignals,
): Refusals {
  const countRefused = metrics.countEach(
    'signals_refused_total',
    'Requests that signal endpoints refused, by reason',
    'reason',
    refusalReasons,
  );
  const refusals = new Refusals(
    database,
    clock,
    (error) => log.error({ err: error }, 'counting refused signals failed; it is retried'),
    (request) => {
      countRefused(request.reason);
      refusedSignals.count(request);
    },
  );
  lifetime.onStop('signal refusals', () => refusals.stop());
  return refusals;
}
