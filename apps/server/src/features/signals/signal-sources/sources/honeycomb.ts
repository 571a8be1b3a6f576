import { inHeader } from './delivery-ids.ts';
import { alertLimits } from './limits.ts';
import type { SignalSource } from './source.ts';

/** Honeycomb, webhooks of triggers with the default payload. */
export const honeycomb: SignalSource = {
  name: 'honeycomb',
  displayName: 'Honeycomb',
  documentationUrl: 'https://docs.honeycomb.io/notify/webhooks',
  authentication: ['header', 'path'],
  header: 'x-honeycomb-webhook-token',
  deliveryIds: { signed: null, unsigned: inHeader('x-honeycomb-webhook-delivery-id') },
  fields: {
    state: 'status',
    title: ['name', 'summary'],
    identity: {
      kinds: [{ kind: null, name: ['id'], hasState: true, start: 'none' }],
      otherwise: 'state',
    },
    link: ['trigger_url', 'result_url'],
  },
  limits: { ...alertLimits, why: 'An outage fires many triggers at once, each with its own request.' },
  setup: {
    where: 'Open Team Settings > Integrations, add a webhook, and choose it as a recipient of a trigger.',
    values: [
      { label: 'Webhook URL', value: '{url}' },
      { label: 'Shared secret', value: '{secret}' },
    ],
  },
};
