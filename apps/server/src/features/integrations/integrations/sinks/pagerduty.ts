import { eventJson } from '#features/log/events/index.ts';
import { cutText } from '#kernel/cut-text.ts';
import { jsonPost } from './json-post.ts';
import { messageOf } from './message.ts';
import { parameter } from './parameters.ts';
import type { Sink, SinkParameters } from './sink.ts';

const parameters = [
  parameter({
    name: 'routingKey',
    displayName: 'Integration key',
    description: 'The key of an Events API v2 integration of a PagerDuty service.',
    required: true,
    sensitive: true,
  }),
  parameter({
    name: 'url',
    displayName: 'URL',
    type: 'url',
    description: 'The default is https://events.pagerduty.com/v2/change/enqueue; the EU has another host.',
  }),
];

const defaultUrl = 'https://events.pagerduty.com/v2/change/enqueue';
/** PagerDuty's limit of a summary. */
const maxSummary = 1024;

/** PagerDuty, as change events: an incident shows the changes before it (docs/spec#integration-requests). */
export const pagerDuty: Sink = {
  name: 'pagerduty',
  displayName: 'PagerDuty',
  documentationUrl: 'https://developer.pagerduty.com/docs/send-change-event',
  description: 'Sends each event as a change event, which incidents show as a recent change.',
  howTo: 'Add an Events API v2 integration to the service in PagerDuty, and paste its integration key here.',
  parameters,
  urlOf,
  buildRequest: (given, event, { baseUrl }) => {
    const message = messageOf(event, { baseUrl });
    const { routingKey = '' } = given;
    const body = {
      routing_key: routingKey,
      payload: {
        summary: cutText(message.text, maxSummary),
        source: baseUrl,
        timestamp: new Date(event.created_at).toISOString(),
        custom_details: JSON.parse(eventJson(event)) as unknown,
      },
      links: message.links.map(({ text, url: href }) => ({ href, text })),
    };
    return { ...jsonPost(urlOf(given), body), secrets: [routingKey] };
  },
};

function urlOf({ url = '' }: SinkParameters): string {
  return url === '' ? defaultUrl : url;
}
