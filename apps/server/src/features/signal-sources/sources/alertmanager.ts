import type { SignalSource } from './source.ts';

/** Prometheus Alertmanager, `webhook_config`; recorded requests of version 0.25 are in tests/payloads. */
export const alertmanager: SignalSource = {
  name: 'alertmanager',
  displayName: 'Prometheus Alertmanager',
  documentationUrl: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
  authentication: ['bearer', 'basic'],
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    state: 'status',
    title: ['groupLabels.alertname', 'commonLabels.alertname', 'alerts[0].labels.alertname', 'groupKey'],
    severity: ['commonLabels.severity', 'alerts[0].labels.severity'],
    fingerprint: 'groupKey',
    startedAt: 'alerts[0].startsAt',
    link: 'externalURL',
    truncated: 'truncatedAlerts',
    elements: {
      path: 'alerts',
      state: 'status',
      title: ['annotations.summary', 'labels.alertname'],
      severity: 'labels.severity',
      fingerprint: 'fingerprint',
      startedAt: 'startsAt',
      link: 'generatorURL',
    },
  },
  limits: {
    burst: 60,
    why: 'Alertmanager sends each group of alerts in its own request, and the groups of one incident within a second.',
  },
  repeat: { minutes: 240, setting: 'repeat_interval' },
  setup: {
    where: 'Add a receiver to alertmanager.yml, and name it in a route.',
    values: [],
    code: `receivers:
  - name: yardarm
    webhook_configs:
      - url: {url}
        send_resolved: true
        http_config:
          authorization:
            credentials: {secret}`,
  },
};
