import { textAt } from '#kernel/payload-path.ts';
import { hmac } from '../signatures/index.ts';
import { inPayload } from './delivery-ids.ts';
import type { SignalSource } from './source.ts';

/** Slack, slash commands: `/yardarm checkout off` becomes a signal with the fields of the form. */
export const slack: SignalSource = {
  name: 'slack',
  displayName: 'Slack slash command',
  documentationUrl: 'https://docs.slack.dev/interactivity/implementing-slash-commands',
  authentication: ['signature'],
  signature: hmac({
    header: 'x-slack-signature',
    prefix: 'v0=',
    before: (header) => {
      const time = header('x-slack-request-timestamp');
      return time === undefined ? undefined : `v0:${time}:`;
    },
    timestamp: 'x-slack-request-timestamp',
  }),
  form: { field: null },
  isCheck: (payload) => textAt(payload, 'ssl_check') === '1',
  answersPerson: { leavesOut: ['token', 'response_url', 'trigger_id'] },
  deliveryIds: { signed: inPayload('trigger_id'), unsigned: null },
  fields: {
    title: ['text', 'command'],
    // A command is no thing that begins and ends.
    identity: { kinds: [], otherwise: 'no state' },
  },
  setup: {
    where:
      'Open your app at api.slack.com/apps and add a slash command. Enter the signing secret of Basic Information as the secret of the token.',
    values: [{ label: 'Request URL', value: '{url}' }],
  },
};
