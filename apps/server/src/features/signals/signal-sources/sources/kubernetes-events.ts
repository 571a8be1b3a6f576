import type { SignalSource } from './source.ts';

/** Kubernetes event exporter, a webhook receiver that uses the layout in `setup`. */
export const kubernetesEvents: SignalSource = {
  name: 'kubernetes-events',
  displayName: 'Kubernetes event exporter',
  documentationUrl: 'https://github.com/resmoio/kubernetes-event-exporter#webhookshttp',
  authentication: ['bearer', 'header'],
  header: 'x-yardarm-token',
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    state: 'type',
    title: ['message', 'reason'],
    severity: 'type',
    identity: {
      kinds: [{ kind: null, name: ['uid'], hasState: true, start: 'report' }],
      otherwise: 'state',
    },
    startedAt: 'createdAt',
    // Events of the type Normal say that a step went well, which is not the end of the event before.
    states: { warning: 'firing', normal: null },
  },
  limits: { burst: 60, why: 'A node that fails makes events for each of its pods at once.' },
  setup: {
    where: 'Add a receiver to the configuration of the exporter, and route the events that matter to it.',
    values: [],
    code: `receivers:
  - name: yardarm
    webhook:
      endpoint: {url}
      headers:
        Authorization: Bearer {secret}
        Content-Type: application/json
      layout:
        uid: "{{ .UID }}"
        type: "{{ .Type }}"
        reason: "{{ .Reason }}"
        message: "{{ .Message }}"
        kind: "{{ .InvolvedObject.Kind }}"
        name: "{{ .InvolvedObject.Name }}"
        namespace: "{{ .InvolvedObject.Namespace }}"
        createdAt: "{{ .GetTimestampISO8601 }}"`,
  },
};
