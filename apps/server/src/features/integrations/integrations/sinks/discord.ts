import { cutText } from '#kernel/cut-text.ts';
import { digestsText } from '../threads/index.ts';
import { jsonPost } from './json-post.ts';
import { escapedMarkdown, plainMarkdown } from './markdown.ts';
import { messageOf } from './message.ts';
import { parameter } from './parameters.ts';
import type { Sink } from './sink.ts';

const parameters = [
  parameter({
    name: 'url',
    displayName: 'Webhook URL',
    type: 'url',
    description: 'The URL of a webhook of a Discord channel.',
    required: true,
    sensitive: true,
  }),
];

/** Discord's limits of the title and the description of an embed. */
const maxTitle = 256;
const maxDescription = 4096;

/** Discord, through the webhook of a channel (docs/spec#integration-requests). */
export const discord: Sink = {
  name: 'discord',
  displayName: 'Discord',
  documentationUrl: 'https://docs.discord.com/developers/resources/webhook#execute-webhook',
  description: `Posts each event to a Discord channel. ${digestsText}`,
  howTo: 'In the settings of the channel, create a webhook under Integrations, and paste its URL here.',
  parameters,
  threads: 'digests',
  buildRequest: ({ url = '' }, event, context) => {
    const message = messageOf(event, context);
    const reason = message.reason === null ? '' : `\n${plainMarkdown(message.reason)}`;
    const links = `\n${message.links.map(({ text, url: page }) => `[${text}](${page})`).join(' · ')}`;
    const status = message.status === null ? '' : `\n${escapedMarkdown(message.status)}`;
    const text = cutText(`${escapedMarkdown(message.markdown)}${status}${reason}`, maxDescription - links.length);
    const embed = {
      title: cutText(message.title, maxTitle),
      description: `${text}${links}`,
      url: message.url,
      timestamp: new Date(event.created_at).toISOString(),
    };
    // No name in an event may mention people.
    return jsonPost(url, { embeds: [embed], allowed_mentions: { parse: [] } });
  },
};
