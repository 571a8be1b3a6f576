import type { Caller } from './caller.ts';

/**
 * The clients of the demo, each with a token: an Alertmanager and a pipeline send signals, a checkout reports metrics.
 */
export interface Senders {
  readonly alertmanager: Caller;
  readonly pipeline: Caller;
  readonly checkout: Caller;
}

export interface Alert {
  readonly name: string;
  readonly summary: string;
}

/** Sends what an Alertmanager sends when an alert fires, or is resolved, at a time. */
export async function sendAlert(
  { alertmanager }: Pick<Senders, 'alertmanager'>,
  status: 'firing' | 'resolved',
  { name, summary }: Alert,
  at: number,
): Promise<void> {
  const labels = { alertname: name, severity: 'critical' };
  const startsAt = new Date(at).toISOString();
  await alertmanager.call('POST /api/signal-endpoint/alertmanager', {
    version: '4',
    status,
    groupKey: `{}:{alertname="${name}"}`,
    groupLabels: { alertname: name },
    commonLabels: labels,
    alerts: [{ status, labels, annotations: { summary }, startsAt, fingerprint: name.toLowerCase() }],
  });
}
