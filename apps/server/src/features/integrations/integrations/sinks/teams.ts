import { parseHeaders } from '#features/platform/outbound/index.ts';
import { cutText } from '#kernel/cut-text.ts';
import { digestsText } from '../threads/index.ts';
import { jsonPost } from './json-post.ts';
import { escapedMarkdown, plainMarkdown } from './markdown.ts';
import { messageOf } from './message.ts';
import { customHeaders, parameter } from './parameters.ts';
import type { Sink } from './sink.ts';

const parameters = [
  parameter({
    name: 'url',
    displayName: 'Workflow URL',
    type: 'url',
    description: 'The URL of a workflow that is started by a webhook request.',
    required: true,
    sensitive: true,
  }),
  customHeaders,
];

const maxText = 5000;
/** Teams takes 28 kB in all. */
const maxReason = 2000;
const maxStatus = 3000;

/** Microsoft Teams, through a workflow that posts an adaptive card (docs/spec#integration-requests). */
export const teams: Sink = {
  name: 'teams',
  displayName: 'Microsoft Teams',
  documentationUrl: 'https://learn.microsoft.com/power-automate/teams/overview',
  description: `Posts each event to a channel of Microsoft Teams. ${digestsText}`,
  howTo: 'In Teams, add the workflow "Post to a channel when a webhook request is received", and paste its URL here.',
  parameters,
  threads: 'digests',
  buildRequest: ({ url = '', customHeaders: more = '' }, event, context) => {
    const message = messageOf(event, context);
    const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
    const card = {
      type: 'AdaptiveCard',
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      version: '1.4',
      body: [
        block(message.title, { weight: 'bolder' }),
        block(cutText(escapedMarkdown(message.markdown), maxText)),
        ...(message.status === null ? [] : [block(cutText(escapedMarkdown(message.status), maxStatus))]),
        ...(message.reason === null
          ? []
          : [block(cutText(plainMarkdown(message.reason), maxReason), { isSubtle: true })]),
      ],
      actions: message.links.map(({ text, url: page }) => ({ type: 'Action.OpenUrl', title: text, url: page })),
    };
    const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card };
    return jsonPost(url, { type: 'message', attachments: [attachment] }, parseHeaders(more));
  },
};
