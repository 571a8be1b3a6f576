import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../api.ts';
import { createInstallation, type Installation } from '../installation.ts';
import { aloneLatency } from '../latency.ts';
import type { LatencySummary } from '../load/histogram.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { inDevelopment } from '../seed/release-plans.ts';
import { seedSender } from '../seed/sender.ts';
import type { RunningServer } from '../server.ts';

const alerts = 1000;
/** The number of alerts that hold a flag each. The set of all other alerts is in shadow mode: it changes nothing. */
const holding = 100;
const alertsPerSignal = 50;
/** The most alerts without effect that the page Now lists. */
const maxListed = 25;
const mustMs = 50;
const readMs = 10_000;
const handledWithinMs = 120_000;
const path = '/api/admin/now';

/** Measures the page that an on-call person opens during an alert storm, and the same page before it. */
export const firingAlerts: Scenario = {
  name: 'firing-alerts',
  title: `GET ${path} with ${alerts} firing alerts, of which ${holding} hold a flag`,
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    const [held, others] = [context.count(holding), context.count(alerts - holding)];
    const settings = { SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND: '0' };
    await using server = await installation.start(settings);
    const send = await givenActions(server, installation.adminToken, held);
    context.say('before the alerts');
    const before = await readNow(context, server, installation);
    context.say(`${held + others} alerts`);
    const last = await sendAlerts(send, held, others);
    await untilShown(server, installation.adminToken, { held, last, listed: Math.min(others, maxListed) });
    const during = await readNow(context, server, installation);
    const name = (percentile: string) => `Now with ${held + others} firing alerts and ${held} holds, ${percentile}`;
    const finding = (percentile: 'p50' | 'p99'): Finding => ({
      name: name(percentile),
      unit: 'ms',
      value: during[percentile],
      floor: { name: 'without alerts', value: before[percentile] },
      detail: { during, before },
    });
    return [finding('p50'), { ...finding('p99'), must: { of: 'value', atMost: mustMs } }];
  },
};

function readNow(
  context: ScenarioContext,
  server: RunningServer,
  { adminToken: authorization }: Installation,
): Promise<LatencySummary> {
  const request = { method: 'GET', path, headers: { authorization } };
  return aloneLatency(context, server, request, { durationMs: readMs });
}

/** An alert as Alertmanager sends it. */
interface Alert {
  readonly status: 'firing';
  readonly fingerprint: string;
  readonly startsAt: string;
  readonly labels: { readonly alertname: string; readonly severity: string; readonly flag?: string };
}

type SendAlerts = (batch: readonly Alert[]) => Promise<number>;

/**
 * Creates flags, an action set that holds the flag named by an alert with the severity `page`, and a set in shadow mode
 * for all other alerts. Returns a function that sends alerts in a signal and returns the signal's id.
 */
async function givenActions(server: RunningServer, adminToken: string, flags: number): Promise<SendAlerts> {
  const make = <Body>(to: string, body: unknown) => callApi<Body>(server.origin, adminToken, 'POST', to, body);
  const sender = await seedSender(server, adminToken);
  const endpoint = { name: 'bench', source: 'alertmanager' };
  await callApi(server.origin, adminToken, 'PUT', `/api/admin/signal-endpoints/${sender.endpointId}`, endpoint);
  for (let n = 0; n < flags; n += 1) {
    await make('/api/admin/projects/default/features', { name: flagOf(n) });
    await make(`${inDevelopment(flagOf(n))}/on`, undefined);
  }
  for (const severity of ['page', 'ticket']) {
    const executionParams = { project: 'default', environment: 'development', featureName: '{{item.labels.flag}}' };
    const payload = { 'item.labels.severity': { operator: 'IN', values: [severity] } };
    await make('/api/admin/projects/default/actions', {
      name: severity,
      actorId: sender.actorId,
      match: { source: 'signal-endpoint', sourceId: sender.endpointId, payload, forEach: 'alerts' },
      actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams: { ...executionParams, effect: 'off' } }],
      allow: { flags: ['*'], tags: [], environments: [] },
      shadow: severity === 'ticket',
    });
  }
  return async (batch) => {
    type Stored = { signals: { id: number }[] };
    const body = { version: '4', status: 'firing', alerts: batch };
    const { signals } = await callApi<Stored>(server.origin, `Bearer ${sender.token}`, 'POST', sender.path, body);
    return signals[0]?.id ?? 0;
  };
}

const flagOf = (n: number) => `flag-${n}`;

/** Sends the alerts that hold a flag each and the others; returns the id of the last signal. */
async function sendAlerts(send: SendAlerts, held: number, others: number): Promise<number> {
  const startsAt = new Date().toISOString();
  const storm = Array.from({ length: held + others }, (_, n): Alert => {
    const [severity, flag] = n < held ? ['page', flagOf(n)] : ['ticket', flagOf(n % held)];
    const labels = { alertname: `Alert ${n}`, severity, flag };
    return { status: 'firing', fingerprint: String(n).padStart(6, '0'), startsAt, labels };
  });
  let last = 0;
  for (let from = 0; from < storm.length; from += alertsPerSignal)
    last = await send(storm.slice(from, from + alertsPerSignal));
  return last;
}

/** Waits until each alert has had its run, and Now shows the holds and the alerts of the last signal. */
async function untilShown(
  server: RunningServer,
  adminToken: string,
  { held, last, listed }: { readonly held: number; readonly last: number; readonly listed: number },
): Promise<void> {
  type Shown = { holdsTotal: number; alertsWithoutEffect: { signalId: number }[] };
  const deadline = performance.now() + handledWithinMs;
  for (;;) {
    const { holdsTotal, alertsWithoutEffect } = await callApi<Shown>(server.origin, adminToken, 'GET', path);
    const shown = alertsWithoutEffect.filter(({ signalId }) => signalId === last);
    if (holdsTotal === held && shown.length === listed) return;
    if (performance.now() > deadline)
      throw new Error(`After ${handledWithinMs} ms, Now shows ${holdsTotal} holds and ${shown.length} new alerts`);
    await pause(100);
  }
}
