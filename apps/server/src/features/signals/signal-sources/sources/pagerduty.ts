import { hmac } from '../signatures/index.ts';
import { inHeader, inPayload } from './delivery-ids.ts';
import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** PagerDuty, webhooks of version 3. */
export const pagerduty: SignalSource = {
  name: 'pagerduty',
  displayName: 'PagerDuty',
  documentationUrl: 'https://developer.pagerduty.com/docs/webhooks-overview',
  authentication: ['signature', 'header', 'bearer'],
  header: 'x-yardarm-token',
  signature: hmac({ header: 'x-pagerduty-signature', prefix: 'v1=' }),
  deliveryIds: { signed: inPayload('event.id'), unsigned: inHeader('x-webhook-id') },
  fields: {
    state: ['event.data.status', 'event.event_type'],
    title: ['event.data.title', 'event.data.summary', 'event.event_type'],
    severity: ['event.data.urgency', 'event.data.priority.summary'],
    identity: {
      kinds: [
        {
          // A key is unique within its service only. An incident that is reopened keeps its id and its start.
          kind: null,
          when: { 'event.data.type': ['incident'] },
          name: ['event.data.id'],
          hasState: true,
          start: 'birth',
          changedAt: 'event.occurred_at',
        },
        // Notes, status updates and services are no incidents.
        { kind: { at: 'event.data.type' }, name: ['event.data.id'], hasState: false, start: 'none' },
      ],
      otherwise: 'no state',
      former: ['event.data.incident_key', 'event.data.id'],
    },
    startedAt: ['event.data.created_at', 'event.occurred_at'],
    link: 'event.data.html_url',
  },
  limits: {
    ...alertLimits,
    why: 'An outage opens many incidents, and each change of each incident is a request of its own.',
  },
  setup: {
    where:
      'Open Integrations > Generic Webhooks (v3) and add a webhook. PagerDuty shows its signing secret once: enter it as the secret of the token. PagerDuty disables a webhook whose requests fail for a while, so let the endpoint keep signals while it is disabled (`whenDisabled: keep`).',
    values: [{ label: 'Webhook URL', value: '{url}' }],
  },
};
