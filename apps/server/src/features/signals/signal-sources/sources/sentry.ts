import { hmac } from '../signatures/index.ts';
import { inHeader } from './delivery-ids.ts';
import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** Sentry, webhooks of an internal integration. */
export const sentry: SignalSource = {
  name: 'sentry',
  displayName: 'Sentry',
  documentationUrl: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
  authentication: ['signature', 'path'],
  signature: hmac({ header: 'sentry-hook-signature' }),
  deliveryIds: { signed: null, unsigned: inHeader('request-id') },
  fields: {
    state: 'action',
    title: [
      'data.metric_alert.title',
      'data.issue.title',
      'data.event.title',
      'data.error.title',
      'data.description_title',
    ],
    severity: ['data.issue.level', 'data.event.level', 'data.error.level', 'action'],
    identity: {
      kinds: [
        { kind: 'metric_alert', name: ['data.metric_alert.id'], hasState: true, start: 'occurrence' },
        { kind: null, name: ['data.issue.id'], hasState: true, start: 'birth', changedAt: null },
        // An alert of a rule, and an error, are about an issue.
        { kind: null, name: ['data.event.issue_id'], hasState: true, start: 'birth', changedAt: 'data.event.datetime' },
        { kind: null, name: ['data.error.issue_id'], hasState: false, start: 'none' },
      ],
      // Comments and installations are created too, and nothing fires.
      otherwise: 'no state',
      former: ['data.metric_alert.id', 'data.issue.id', 'data.event.issue_id'],
    },
    startedAt: ['data.metric_alert.date_started', 'data.issue.firstSeen', 'data.event.datetime'],
    link: ['data.web_url', 'data.issue.web_url', 'data.issue.permalink', 'data.event.web_url'],
    states: {
      created: 'firing',
      unresolved: 'firing',
      critical: 'firing',
      warning: 'firing',
      archived: 'resolved',
      ignored: 'resolved',
    },
  },
  limits: { ...alertLimits, why: 'A broken release can open many issues at once, each with its own request.' },
  setup: {
    where:
      'Open Settings > Developer Settings and create an internal integration with alert rule actions. Enter its client secret as the secret of the token.',
    values: [{ label: 'Webhook URL', value: '{url}' }],
  },
};
