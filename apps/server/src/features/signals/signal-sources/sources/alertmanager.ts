import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** Prometheus Alertmanager, `webhook_config`; recorded requests of version 0.25 are in tests/payloads. */
export const alertmanager = {
  name: 'alertmanager',
  displayName: 'Prometheus Alertmanager',
  documentationUrl: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
  authentication: ['bearer', 'basic'],
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    state: 'status',
    title: ['groupLabels.alertname', 'commonLabels.alertname', 'alerts[0].labels.alertname', 'groupKey'],
    severity: ['commonLabels.severity', 'alerts[0].labels.severity'],
    identity: {
      kinds: [
        // The key of a group contains the matchers of its route, which change when the route is edited.
        {
          kind: 'group',
          name: ['receiver', { hashOf: 'groupLabels' }],
          hasState: true,
          start: 'occurrence',
        },
        { kind: null, name: ['groupKey'], hasState: true, start: 'occurrence' },
      ],
      otherwise: 'state',
      former: 'groupKey',
    },
    startedAt: 'alerts[0].startsAt',
    link: 'externalURL',
    truncated: 'truncatedAlerts',
    elements: {
      path: 'alerts',
      state: 'status',
      title: ['annotations.summary', 'labels.alertname'],
      severity: 'labels.severity',
      // Versions before 0.19, and tools that copy its request, send no fingerprint: the labels name the alert.
      identity: {
        kinds: [
          { kind: null, name: ['fingerprint'], hasState: true, start: 'occurrence' },
          { kind: 'labels', name: [{ hashOf: 'labels' }], hasState: true, start: 'occurrence' },
        ],
        otherwise: 'state',
        former: 'fingerprint',
      },
      startedAt: 'startsAt',
      link: 'generatorURL',
    },
  },
  limits: {
    ...alertLimits,
    maxAlerts: 'max_alerts',
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
} as const satisfies SignalSource;
