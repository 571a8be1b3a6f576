import type { SignalSource } from './source.ts';

/** Argo CD notifications that use the template in `setup`. */
export const argoCd: SignalSource = {
  name: 'argo-cd',
  displayName: 'Argo CD',
  documentationUrl: 'https://argo-cd.readthedocs.io/en/stable/operator-manual/notifications/services/webhook/',
  authentication: ['bearer', 'basic', 'header'],
  header: 'x-yardarm-token',
  // Argo CD sends only the headers that the service defines, and the first example of its documentation has no
  // Content-Type.
  omitsContentType: true,
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    state: 'phase',
    title: 'app',
    // The uid is used because names are unique only within a namespace. The template of earlier set-ups sends no uid.
    identity: {
      kinds: [
        { kind: null, name: ['uid'], hasState: true, start: 'none' },
        { kind: 'app', name: ['namespace', 'app'], hasState: true, start: 'none' },
        { kind: null, name: ['app'], hasState: true, start: 'none' },
      ],
      otherwise: 'state',
      former: ['uid', 'app'],
    },
    link: 'link',
    states: { terminating: 'pending' },
  },
  limits: { burst: 60, why: 'A change of a shared repository syncs many applications at once.' },
  setup: {
    where: 'Add this to the ConfigMap argocd-notifications-cm, and subscribe applications to the trigger.',
    values: [],
    code: `service.webhook.yardarm: |
  url: {url}
  headers:
    - name: Content-Type
      value: application/json
    - name: Authorization
      value: Bearer {secret}
template.yardarm-sync: |
  webhook:
    yardarm:
      method: POST
      body: |
        {
          "app": "{{.app.metadata.name}}",
          "namespace": "{{.app.metadata.namespace}}",
          "uid": "{{.app.metadata.uid}}",
          "phase": "{{.app.status.operationState.phase}}",
          "sync": "{{.app.status.sync.status}}",
          "revision": "{{.app.status.operationState.operation.sync.revision}}",
          "link": "{{.context.argocdUrl}}/applications/{{.app.metadata.name}}"
        }
trigger.on-yardarm-sync: |
  - when: app.status.operationState.phase in ['Running', 'Succeeded', 'Failed', 'Error']
    send: [yardarm-sync]`,
  },
};
