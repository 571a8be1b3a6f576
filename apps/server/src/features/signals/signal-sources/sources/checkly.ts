import { hmac } from '../signatures/index.ts';
import { inPayload } from './delivery-ids.ts';
import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** Checkly, webhook alert channels that use the body in `setup`. */
export const checkly: SignalSource = {
  name: 'checkly',
  displayName: 'Checkly',
  documentationUrl: 'https://www.checklyhq.com/docs/integrations/alerts/webhooks',
  authentication: ['signature', 'bearer', 'header', 'path'],
  header: 'x-yardarm-token',
  signature: hmac({ header: 'x-checkly-signature' }),
  deliveryIds: { signed: inPayload('result_id', 'alert_type'), unsigned: null },
  fields: {
    state: 'alert_type',
    title: ['title', 'check_name'],
    identity: {
      // The start is that of the run of the check which the request reports.
      kinds: [{ kind: null, name: ['check_id'], hasState: true, start: 'report' }],
      otherwise: 'state',
    },
    startedAt: 'started_at',
    link: 'link',
    // A degraded check does not fail, and a failing check that is degraded now has not recovered.
    states: {
      alert_failure: 'firing',
      alert_failure_remain: 'firing',
      alert_degraded_failure: 'firing',
      alert_recovery: 'resolved',
      alert_degraded_recovery: 'resolved',
    },
  },
  limits: { ...alertLimits, why: 'An outage fails many checks at once, each with its own request.' },
  setup: {
    where:
      'Open Alert settings and add a webhook channel with the method POST, this webhook secret, header and body. Double braces encode quotes, and nothing encodes a backslash: name checks without one.',
    values: [
      { label: 'URL', value: '{url}' },
      { label: 'Webhook secret', value: '{secret}' },
      { label: 'Header Content-Type', value: 'application/json' },
      {
        label: 'Body',
        value:
          '{"alert_type": "{{ALERT_TYPE}}", "title": "{{ALERT_TITLE}}", "check_id": "{{CHECK_ID}}", "check_name": "{{CHECK_NAME}}", "result_id": "{{CHECK_RESULT_ID}}", "started_at": "{{STARTED_AT}}", "link": "{{RESULT_LINK}}"}',
      },
    ],
  },
};
