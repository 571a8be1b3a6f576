import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** New Relic, webhook destination of a workflow, with its default template; also the older incident template. */
export const newrelic: SignalSource = {
  name: 'newrelic',
  displayName: 'New Relic',
  documentationUrl: 'https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/',
  authentication: ['bearer', 'basic', 'header'],
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    state: ['state', 'current_state'],
    title: ['title', 'alertConditionNames[0]', 'condition_name'],
    severity: ['priority', 'severity'],
    identity: {
      // An issue or incident that is closed does not open again.
      kinds: [
        { kind: null, name: ['id'], hasState: true, start: 'occurrence' },
        { kind: 'incident', name: ['account_id', 'incident_id'], hasState: true, start: 'report' },
        { kind: 'incident', name: ['incident_id'], hasState: true, start: 'report' },
      ],
      otherwise: 'state',
      former: ['id', 'incident_id'],
    },
    startedAt: ['createdAt', 'timestamp'],
    link: ['issueUrl', 'incident_url'],
    states: { created: 'firing' },
  },
  limits: {
    ...alertLimits,
    why: 'An outage opens many issues, and each sends its own request when it opens and closes.',
  },
  setup: {
    where: 'Open Alerts > Destinations, add a Webhook, and add it to a workflow.',
    values: [
      { label: 'Endpoint URL', value: '{url}' },
      { label: 'Authorization', value: 'Bearer token' },
      { label: 'Token', value: '{secret}' },
    ],
  },
};
