import { cutText } from '#kernel/cut-text.ts';
import { jsonPost } from './json-post.ts';
import { messageOf } from './message.ts';
import { parameter } from './parameters.ts';
import type { Sink, SinkParameters } from './sink.ts';

const parameters = [
  parameter({
    name: 'url',
    displayName: 'Grafana URL',
    type: 'url',
    description: 'The address of Grafana, such as https://grafana.example.com',
    required: true,
  }),
  parameter({
    name: 'token',
    displayName: 'Service account token',
    description: 'A token of a service account that may create annotations.',
    required: true,
    sensitive: true,
  }),
];

const maxText = 2000;

/** Grafana annotations: marks on the graphs of dashboards (docs/spec#integration-requests). */
export const grafana: Sink = {
  name: 'grafana',
  displayName: 'Grafana annotations',
  documentationUrl: 'https://grafana.com/docs/grafana/latest/developers/http_api/annotations/',
  description: 'Marks each event on the graphs of your dashboards.',
  howTo:
    'Create a service account token in Grafana. In a dashboard, add an annotation query that filters by the tag yardarm.',
  parameters,
  urlOf,
  buildRequest: (given, event, { baseUrl }) => {
    const message = messageOf(event, { baseUrl });
    const body = {
      time: event.created_at,
      tags: ['yardarm', ...message.tags],
      text: cutText(`${message.text}${message.reason === null ? '' : `: ${message.reason}`}\n${message.url}`, maxText),
    };
    return jsonPost(urlOf(given), body, { authorization: `Bearer ${given['token'] ?? ''}` });
  },
};

function urlOf({ url = '' }: SinkParameters): string {
  return `${url.replace(/\/+$/, '')}/api/annotations`;
}
