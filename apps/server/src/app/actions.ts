import { Counter, Histogram } from 'prom-client';
import { actionHandlers, Caller, Runner, type SetLimits, whyHalted } from '../features/actions/index.ts';
import { resolveByDns, sender } from '../features/outbound/index.ts';
import { reachOf } from './integrations.ts';
import type { ServiceParts } from './parts.ts';

/** Signals that change flags; those that were left waiting are handled at once. */
export function buildActions({ config, clock, database, metrics, log, lifetime, publicUrl }: ServiceParts) {
  const signalToChange = new Histogram({
    name: 'signal_to_change_seconds',
    help: 'Time from when a signal was stored to when what it changed was committed',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120],
    registers: [metrics.registry],
  });
  const outbound = { reach: reachOf(config), resolve: resolveByDns };
  const calls = new Counter({
    name: 'action_calls_total',
    help: 'Attempts at requests that actions ask for, by what came of them',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  const caller = new Caller({
    database,
    clock,
    send: sender(outbound.reach, outbound.resolve),
    halted: async (db) => (await whyHalted(db)) !== undefined,
    attempted: (outcome) => calls.inc({ outcome }),
    onError: (error) => log.error({ err: error }, 'making requests that actions ask for met trouble'),
  });
  caller.start();
  lifetime.onStop('calls of actions', () => caller.stop());
  const context = {
    runUrl: (runId: number) => `${publicUrl()}/runs/${runId}`,
    callQueued: () => caller.wake(),
    limits: {
      strategies: {
        strategies: config.strategyLimit,
        constraints: config.constraintLimit,
        constraintValues: config.constraintValuesLimit,
        segments: config.strategySegmentsLimit,
      },
      holds: config.holdLimit,
    },
    onError: (error: unknown) => log.error({ err: error }, 'running actions met trouble'),
  };
  const runner = new Runner({
    ...context,
    database,
    clock,
    changedAfter: (seconds) => signalToChange.observe(seconds),
  });
  runner.start();
  lifetime.onStop('actions', () => runner.stop());
  return { runner, caller, handlers: actionHandlers(database, clock, actionLimits(config), context, outbound) };
}

/** How much there may be of sets of actions. */
export function actionLimits(config: ServiceParts['config']): SetLimits {
  return {
    sets: config.actionSetsLimit,
    actions: config.actionSetActionsLimit,
    filters: config.actionSetFiltersLimit,
    values: config.actionSetFilterValuesLimit,
  };
}
