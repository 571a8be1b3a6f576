import type { SignalSample } from './sample.ts';

/** Requests of Alertmanager 0.25, as recorded in tests/payloads; only their times are set when they are sent. */
export const alertmanagerSample: SignalSample = {
  firing: message('firing', '0001-01-01T00:00:00Z'),
  resolved: message('resolved', '{now}'),
};

function message(status: 'firing' | 'resolved', endsAt: string) {
  const labels = {
    alertname: 'InstanceDown',
    cluster: 'test',
    instance: '127.0.0.1:1',
    job: 'down',
    replica: 'a',
    severity: 'critical',
    team: 'payments',
  };
  const annotations = {
    description: '127.0.0.1:1 of job down has been down. Æøå 💥 "quotes"',
    runbook_url: 'https://runbooks.example.org/InstanceDown',
    summary: 'Instance 127.0.0.1:1 down',
  };
  return {
    receiver: 'ok200',
    status,
    alerts: [
      {
        status,
        labels,
        annotations,
        startsAt: '{startedAt}',
        endsAt,
        generatorURL: 'http://vm:46290/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
        fingerprint: '7d68d25b85685dd0',
      },
    ],
    groupLabels: {
      alertname: 'InstanceDown',
    },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: 'http://127.0.0.1:46293',
    version: '4',
    groupKey: '{}/{}:{alertname="InstanceDown"}',
    truncatedAlerts: 0,
  };
}
