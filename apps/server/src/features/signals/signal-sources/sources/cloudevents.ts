import { textAt } from '#kernel/payload-path.ts';
import { structuredEvent } from './cloud-event.ts';
import { together } from './delivery-ids.ts';
import type { SignalSource } from './source.ts';

/** CloudEvents 1.0 over HTTP: in the structured mode, the binary mode and the batched mode, or one in each line. */
export const cloudevents: SignalSource = {
  name: 'cloudevents',
  displayName: 'CloudEvents',
  documentationUrl: 'https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md',
  authentication: ['bearer', 'basic', 'header', 'path'],
  batches: { array: 'application/cloudevents-batch+json', lines: 'application/x-ndjson' },
  envelope: structuredEvent,
  deliveryIds: {
    signed: null,
    unsigned: {
      words: '`source` and `id` of the event',
      isInPayload: true,
      read: ({ payload }) => together([textAt(payload, 'source'), textAt(payload, 'id')]),
    },
  },
  fields: {
    title: ['subject', 'type'],
    identity: {
      // A subject is unique within its source only.
      kinds: [{ kind: null, name: ['source', 'subject'], hasState: true, start: 'report' }],
      otherwise: 'state',
      former: 'subject',
    },
    startedAt: 'time',
  },
  setup: {
    where: 'Send events with POST to the URL, with the token in the Authorization header.',
    values: [
      { label: 'URL', value: '{url}' },
      { label: 'Authorization header', value: 'Bearer {secret}' },
    ],
  },
};
