import type { SignalSource } from './source.ts';

/** A script, a cron job or any sender that lets its headers be set. */
export const generic: SignalSource = {
  name: 'generic',
  displayName: 'Other sender',
  documentationUrl: null,
  authentication: ['bearer', 'basic', 'header', 'path'],
  // Log forwarders can be configured to compress: the HTTP outputs of Fluent Bit (`compress`) and of rsyslog (omhttp
  // `compress`).
  compresses: true,
  deliveryIds: { signed: null, unsigned: null },
  // The owner of an endpoint sets the paths of its payloads.
  fields: null,
  setup: {
    where: 'Send JSON with POST to the URL, with the token in the Authorization header.',
    values: [
      { label: 'URL', value: '{url}' },
      { label: 'Authorization header', value: 'Bearer {secret}' },
    ],
  },
};
