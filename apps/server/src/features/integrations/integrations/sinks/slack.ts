import { plainSummary } from '@yardarm/contract';
import { cutText } from '#kernel/cut-text.ts';
import { digestsText } from '../threads/index.ts';
import { jsonPost } from './json-post.ts';
import { visible } from './markdown.ts';
import { type Message, messageOf } from './message.ts';
import { parameter } from './parameters.ts';
import type { Sink } from './sink.ts';

const parameters = [
  parameter({
    name: 'url',
    displayName: 'Webhook URL',
    type: 'url',
    description: 'The URL of an incoming webhook of your Slack workspace.',
    required: true,
    sensitive: true,
  }),
];

/** Slack's limit of the text of a section block. */
const maxText = 3000;
const maxStatus = 1000;

/** Slack, through an incoming webhook (docs/spec#integration-requests). */
export const slack: Sink = {
  name: 'slack',
  displayName: 'Slack',
  documentationUrl: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  description: `Posts each event to a Slack channel. ${digestsText}`,
  howTo: 'Create an incoming webhook for the channel in Slack, and paste its URL here.',
  parameters,
  threads: 'digests',
  buildRequest: ({ url = '' }, event, context) => {
    return jsonPost(url, slackText(messageOf(event, context)));
  },
};

/** Returns the text of a message as both of Slack's APIs take it. */
export function slackText(message: Message) {
  const { status } = message;
  const sentence = inSlack(message.markdown);
  const reason = message.reason === null ? '' : `\n>${plain(message.reason)}`;
  const state = status === null ? '' : `\n${cutText(inSlack(status), maxStatus)}`;
  const links = message.links.map(({ text, url }) => `<${url}|${text}>`).join(' · ');
  const text = cutText(`${sentence}${reason}`, maxText - links.length - state.length - 2);
  return {
    text: escaped(status === null ? message.text : `${message.text}. ${plainSummary(status)}`),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: `${text}${state}\n${links}` } }],
    unfurl_links: false,
  };
}

/** Returns a sentence with names in bold as Slack marks them. */
function inSlack(markdown: string): string {
  const marked = /\\\*|\*\*|[*~`]/g;
  return escaped(visible(markdown)).replace(marked, (mark) => (mark === '**' ? '*' : unmarked(mark)));
}

/** Returns a text that has no marks of its own. */
function plain(text: string): string {
  return escaped(text).replace(/[*~`]/g, unmarked);
}

/** Slack cannot escape its marks: returns characters that look alike and mark nothing. */
function unmarked(mark: string): string {
  return { '~': '∼', '`': 'ˋ' }[mark] ?? '∗';
}

/** Escapes text for Slack: without it, a name could mention a channel or hide a link. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
