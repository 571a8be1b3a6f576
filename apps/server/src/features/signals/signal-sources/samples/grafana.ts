import type { SignalSample } from './sample.ts';

/**
 * A sample that follows the documentation of the sender, which `tests/payloads/INDEX.json` names. Times and ids are
 * filled in when the sample is sent.
 */
export const grafanaSample: SignalSample = { firing: message(true), resolved: message(false) };

function message(isFiring: boolean) {
  return {
    receiver: 'yardarm',
    status: isFiring ? 'firing' : 'resolved',
    orgId: 1,
    alerts: [
      {
        status: isFiring ? 'firing' : 'resolved',
        labels: {
          alertname: 'Checkout p99 latency',
          grafana_folder: 'Shop',
          service: 'checkout',
        },
        annotations: {
          summary: 'p99 above 2s for 5m',
          runbook_url: 'https://runbooks.example.org/p99',
        },
        startsAt: '{startedAt}',
        endsAt: isFiring ? '0001-01-01T00:00:00Z' : '{now}',
        generatorURL: 'https://grafana.example.org/alerting/grafana/ab12cd/view?orgId=1',
        fingerprint: '9f3d1b6e2a774c10',
        silenceURL:
          'https://grafana.example.org/alerting/silence/new?alertmanager=grafana&matcher=alertname%3DCheckout+p99+latency&orgId=1',
        dashboardURL: '',
        panelURL: '',
        values: {
          A: 2.413,
          C: 1,
        },
        valueString: "[ var='A' labels={service=checkout} value=2.413 ], [ var='C' labels={service=checkout} value=1 ]",
      },
    ],
    groupLabels: {
      alertname: 'Checkout p99 latency',
      grafana_folder: 'Shop',
    },
    commonLabels: {
      alertname: 'Checkout p99 latency',
      grafana_folder: 'Shop',
      service: 'checkout',
    },
    commonAnnotations: {
      summary: 'p99 above 2s for 5m',
    },
    externalURL: 'https://grafana.example.org/',
    version: '1',
    groupKey: '{}/{service="checkout"}:{alertname="Checkout p99 latency"}',
    truncatedAlerts: 0,
    title: `[${isFiring ? 'FIRING' : 'RESOLVED'}:1] Checkout p99 latency Shop (checkout)`,
    state: isFiring ? 'alerting' : 'ok',
    message: `**${isFiring ? 'Firing' : 'Resolved'}**\n\nValue: A=2.413, C=1\nLabels:\n - alertname = Checkout p99 latency\n`,
  };
}
