import { parseHeaders } from '#features/platform/outbound/index.ts';
import { cutText } from '#kernel/cut-text.ts';
import { jsonPost } from './json-post.ts';
import { messageOf } from './message.ts';
import { customHeaders, parameter } from './parameters.ts';
import type { Sink, SinkParameters } from './sink.ts';

const parameters = [
  parameter({
    name: 'url',
    displayName: 'URL',
    type: 'url',
    description: 'The default is https://api.datadoghq.com/api/v1/events; other Datadog sites have another host.',
  }),
  parameter({
    name: 'apiKey',
    displayName: 'API key',
    description: 'An API key of your Datadog organization.',
    required: true,
    sensitive: true,
  }),
  parameter({
    name: 'sourceTypeName',
    displayName: 'Source type name',
    description: 'The source that Datadog shows with the events.',
  }),
  customHeaders,
];

const defaultUrl = 'https://api.datadoghq.com/api/v1/events';
/** Datadog's limit of the text of an event. */
const maxText = 4000;

/** Datadog events (docs/spec#integration-requests). */
export const datadog: Sink = {
  name: 'datadog',
  displayName: 'Datadog',
  documentationUrl: 'https://docs.datadoghq.com/api/latest/events/#post-an-event',
  description: 'Sends each event to the event stream of Datadog, to overlay on graphs.',
  howTo: 'Create an API key in Datadog, and paste it here. Set the URL when your site is not datadoghq.com.',
  parameters,
  urlOf,
  buildRequest: (given, event, { baseUrl }) => {
    const { apiKey = '', sourceTypeName = '', customHeaders: more = '' } = given;
    const message = messageOf(event, { baseUrl });
    const reason = message.reason === null ? '' : `\nReason: ${message.reason}`;
    const links = message.links.map(({ text, url }) => `\n${text}: ${url}`).join('');
    const body = {
      title: `Yardarm: ${message.title}`,
      text: `${cutText(`${message.text}${reason}`, maxText - links.length)}${links}`,
      tags: message.tags,
      date_happened: Math.floor(event.created_at / 1000),
      ...(sourceTypeName === '' ? {} : { source_type_name: sourceTypeName }),
    };
    return jsonPost(urlOf(given), body, { ...parseHeaders(more), 'dd-api-key': apiKey });
  },
};

function urlOf({ url = '' }: SinkParameters): string {
  return url === '' ? defaultUrl : url;
}
