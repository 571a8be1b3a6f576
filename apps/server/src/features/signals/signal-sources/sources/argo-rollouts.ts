import type { SignalSource } from './source.ts';

/** Argo Rollouts notifications that use the template in `setup`. */
export const argoRollouts: SignalSource = {
  name: 'argo-rollouts',
  displayName: 'Argo Rollouts',
  documentationUrl: 'https://argo-rollouts.readthedocs.io/en/stable/features/notifications/',
  authentication: ['bearer', 'basic', 'header'],
  header: 'x-yardarm-token',
  // Argo Rollouts sends only the headers that the service defines, and the first example of its documentation has no
  // Content-Type.
  omitsContentType: true,
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    state: 'phase',
    title: 'rollout',
    identity: {
      kinds: [
        { kind: null, name: ['uid'], hasState: true, start: 'none' },
        { kind: 'rollout', name: ['namespace', 'rollout'], hasState: true, start: 'none' },
      ],
      otherwise: 'state',
      former: 'uid',
    },
    states: { healthy: 'succeeded', degraded: 'failed', progressing: 'pending', paused: 'pending' },
  },
  limits: {
    burst: 60,
    why: 'A release of many services has many rollouts at once, and each step of each sends a request.',
  },
  setup: {
    where:
      'Add this to the ConfigMap argo-rollouts-notification-configmap, with a trigger that sends the template, such as on-rollout-completed and on-rollout-aborted.',
    values: [],
    code: `service.webhook.yardarm: |
  url: {url}
  headers:
    - name: Content-Type
      value: application/json
    - name: Authorization
      value: Bearer {secret}
template.yardarm-rollout: |
  webhook:
    yardarm:
      method: POST
      body: |
        {
          "rollout": "{{.rollout.metadata.name}}",
          "namespace": "{{.rollout.metadata.namespace}}",
          "uid": "{{.rollout.metadata.uid}}",
          "phase": "{{.rollout.status.phase}}"
        }`,
  },
};
