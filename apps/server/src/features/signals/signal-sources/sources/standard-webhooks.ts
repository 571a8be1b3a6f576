import { standardWebhooksSignature } from '../signatures/index.ts';
import { inHeader } from './delivery-ids.ts';
import type { SignalSource } from './source.ts';

/** A sender that signs by Standard Webhooks, such as another Yardarm. */
export const standardWebhooks: SignalSource = {
  name: 'standard-webhooks',
  displayName: 'Standard Webhooks',
  documentationUrl: 'https://www.standardwebhooks.com',
  authentication: ['signature'],
  signature: standardWebhooksSignature,
  deliveryIds: { signed: inHeader('webhook-id'), unsigned: null },
  fields: {
    title: 'type',
    // The standard names no subject of an event.
    identity: { kinds: [], otherwise: 'no state' },
    startedAt: 'timestamp',
  },
  setup: {
    where: 'Set the URL and the secret in the sender, or enter the secret of the sender as that of the token.',
    values: [
      { label: 'URL', value: '{url}' },
      { label: 'Secret', value: '{secret}' },
    ],
  },
};
