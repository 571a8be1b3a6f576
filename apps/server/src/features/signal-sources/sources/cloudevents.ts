import { textAt } from '../../../kernel/payload-path.ts';
import type { ReadHeader } from '../signatures/index.ts';
import { together } from './delivery-ids.ts';
import type { SignalSource } from './source.ts';

/** CloudEvents 1.0 over HTTP: in the structured mode, the binary mode and the batched mode, or one in each line. */
export const cloudevents: SignalSource = {
  name: 'cloudevents',
  displayName: 'CloudEvents',
  documentationUrl: 'https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md',
  authentication: ['bearer', 'basic', 'header', 'path'],
  batches: { array: 'application/cloudevents-batch+json', lines: 'application/x-ndjson' },
  deliveryIds: {
    signed: null,
    unsigned: {
      words: '`source` and `id` of the event',
      isInPayload: true,
      read: ({ header, payload }) => {
        const { id, source } = attributesOf(payload, header);
        return together([source, id]);
      },
    },
  },
  subject: (payload, header) => ({ ...attributesOf(payload, header) }),
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

/** Returns the attributes: in the binary mode they are headers, in the structured mode members of the body. */
function attributesOf(payload: unknown, header: ReadHeader): Readonly<Record<string, string | undefined>> {
  const isBinary = header('ce-specversion') !== undefined;
  const read = (name: string) => (isBinary ? header(`ce-${name}`) : textAt(payload, name));
  return Object.fromEntries(['id', 'source', 'type', 'subject', 'time'].map((name) => [name, read(name)]));
}
