import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** Datadog, integration "Webhooks", with its default payload or one that adds `alert_transition`. */
export const datadog: SignalSource = {
  name: 'datadog',
  displayName: 'Datadog',
  documentationUrl: 'https://docs.datadoghq.com/integrations/webhooks/',
  authentication: ['header', 'bearer', 'basic'],
  header: 'x-yardarm-token',
  form: { field: 'payload' },
  deliveryIds: { signed: null, unsigned: null },
  fields: {
    state: ['alert_transition', 'transition'],
    title: ['title', 'event_title'],
    severity: ['alert_type', 'priority'],
    identity: {
      kinds: [
        { kind: null, name: ['alert_cycle_key'], hasState: true, start: 'report' },
        // A monitor of many groups has an alert for each.
        { kind: 'monitor', name: ['alert_id', ['alert_scope', 'scope']], hasState: true, start: 'report' },
        { kind: 'monitor', name: ['alert_id'], hasState: true, start: 'report' },
        { kind: 'aggregation', name: ['aggreg_key'], hasState: true, start: 'report' },
      ],
      otherwise: 'state',
      former: ['alert_cycle_key', 'alert_id', 'aggreg_key'],
    },
    startedAt: ['date', 'last_updated'],
    link: ['link', 'url'],
    states: {
      're-triggered': 'firing',
      'no data': 'firing',
      're-no data': 'firing',
      warn: 'firing',
      're-warn': 'firing',
      renotify: 'firing',
    },
  },
  limits: { ...alertLimits, why: 'A monitor of many groups sends a request for each group.' },
  setup: {
    where: 'Open Integrations > Webhooks and add a webhook. Name it in the message of a monitor: @webhook-<name>.',
    values: [
      { label: 'URL', value: '{url}' },
      { label: 'Custom headers', value: '{"X-Yardarm-Token": "{secret}"}' },
      {
        label: 'Payload',
        value:
          '{"id": "$ID", "title": "$EVENT_TITLE", "alert_transition": "$ALERT_TRANSITION", "alert_cycle_key": "$ALERT_CYCLE_KEY", "alert_type": "$ALERT_TYPE", "date": "$DATE", "link": "$LINK"}',
      },
    ],
  },
};
