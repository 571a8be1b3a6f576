import { Counter, Histogram } from 'prom-client';
import { actionHandlers, CallSender, haltReason, Runner } from '../features/actions/index.ts';
import { createSender, resolveByDns } from '../features/outbound/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { addressPolicyOf } from './integrations.ts';
import { limitsOf } from './limits.ts';

/** Builds the actions feature and starts to handle pending signals. */
export function buildActions({ config, clock, database, metrics, log, lifetime, publicUrl }: ServiceDependencies) {
  const limits = limitsOf(config);
  const signalToChange = new Histogram({
    name: 'signal_to_change_seconds',
    help: 'Seconds from storing a signal to committing its changes',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120],
    registers: [metrics.registry],
  });
  const outbound = { addressPolicy: addressPolicyOf(config), resolve: resolveByDns };
  const calls = new Counter({
    name: 'action_calls_total',
    help: 'Attempts of outbound action calls, by outcome',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  const callSender = new CallSender({
    database,
    clock,
    send: createSender(outbound.addressPolicy, outbound.resolve),
    halted: async (db) => (await haltReason(db)) !== undefined,
    onAttempt: (outcome) => calls.inc({ outcome }),
    onError: (error) => log.error({ err: error }, 'outbound action call failed'),
  });
  callSender.start();
  lifetime.onStop('action calls', () => callSender.stop());
  const context = {
    runUrl: (runId: number) => `${publicUrl()}/runs/${runId}`,
    onCallQueued: () => callSender.wake(),
    limits,
    onError: (error: unknown) => log.error({ err: error }, 'action run failed'),
  };
  const runner = new Runner({
    ...context,
    database,
    clock,
    onChanged: (seconds) => signalToChange.observe(seconds),
  });
  runner.start();
  lifetime.onStop('actions', () => runner.stop());
  return { runner, callSender, handlers: actionHandlers(database, clock, limits.actionSets, context, outbound) };
}
