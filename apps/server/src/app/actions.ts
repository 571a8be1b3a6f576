import { Histogram } from 'prom-client';
import { actionHandlers, continueWaitingRuns, type RunContext, Runner } from '#features/automation/actions/index.ts';
import { planRehearsalHandlers } from '#features/automation/plan-rehearsals/index.ts';
import type { Activity } from '#features/log/activity/index.ts';
import type { QueryNow } from '#features/metrics/external-metrics/index.ts';
import type { DeliverySender } from '#features/platform/deliveries/index.ts';
import { resolveByDns } from '#features/platform/outbound/index.ts';
import { watchAutomation } from './automation-metrics.ts';
import { deliveryLifetimeOf } from './deliveries.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { addressPolicyOf } from './integrations.ts';
import { limitsOf } from './limits.ts';

/** Builds what runs of actions need: limits, calls, and what is told about them. */
export function buildRunContext(parts: ServiceDependencies, deliveries: DeliverySender): RunContext {
  const { config, log, publicUrl } = parts;
  return {
    runUrl: (runId) => `${publicUrl()}/runs/${runId}`,
    deliveryLifetimeMs: deliveryLifetimeOf(config),
    onCallQueued: () => deliveries.wake(),
    onRun: watchAutomation(parts),
    limits: limitsOf(config),
    breaker: { flags: config.actionBreakerFlags, minutes: config.actionBreakerMinutes },
    onError: (error) => log.error({ err: error }, 'action run failed'),
  };
}

/** Builds the actions feature. */
export function buildActions(parts: ServiceDependencies, context: RunContext, activity: Activity, queryNow: QueryNow) {
  const { config, clock, database, metrics } = parts;
  const signalToChange = new Histogram({
    name: 'signal_to_change_seconds',
    help: 'Seconds from storing a signal to committing its changes',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120],
    registers: [metrics.registry],
  });
  const outbound = { addressPolicy: addressPolicyOf(config), resolve: resolveByDns };
  const runner = new Runner({
    ...context,
    database,
    clock,
    onChanged: (seconds) => signalToChange.observe(seconds),
    onHandled: () => activity.note('runs'),
  });
  const jobs = [continueWaitingRuns({ ...context, onContinued: () => activity.note('runs') })];
  return {
    runner,
    jobs,
    handlers: {
      ...actionHandlers(database, clock, limitsOf(config).actionSets, context, outbound),
      ...planRehearsalHandlers(database, clock, context, queryNow),
    },
  };
}
