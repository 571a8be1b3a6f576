import { createHash } from 'node:crypto';
import { eventJson } from '#features/log/events/index.ts';
import { cutText } from '#kernel/cut-text.ts';
import { badField } from '#kernel/errors.ts';
import { typesWithSubject } from '../threads/index.ts';
import { jsonPost } from './json-post.ts';
import { messageOf } from './message.ts';
import { parameter } from './parameters.ts';
import type { Sink, SinkParameters } from './sink.ts';

const defaultUrl = 'https://events.pagerduty.com/v2/enqueue';
const severities = ['critical', 'error', 'warning', 'info'];
const defaultSeverity = 'warning';
/** PagerDuty's limit of a summary. */
const maxSummary = 1024;

/**
 * PagerDuty, as alerts: a hold triggers an alert, and its end resolves the same alert (docs/spec#integration-requests).
 */
export const pagerDutyAlerts: Sink = {
  name: 'pagerduty-alerts',
  displayName: 'PagerDuty alerts',
  documentationUrl: 'https://developer.pagerduty.com/docs/send-alert-event',
  description:
    'Triggers an alert when automation holds a flag or is in trouble, and resolves it when that has ended. A person resolves failed runs and refused signals.',
  howTo: 'Add an Events API v2 integration to the service in PagerDuty, and paste its integration key here.',
  parameters: [
    parameter({
      name: 'routingKey',
      displayName: 'Integration key',
      description: 'The key of an Events API v2 integration of a PagerDuty service.',
      required: true,
      sensitive: true,
    }),
    parameter({
      name: 'severity',
      displayName: 'Severity',
      description: `One of ${severities.join(', ')}. The default is ${defaultSeverity}.`,
    }),
    parameter({
      name: 'url',
      displayName: 'URL',
      type: 'url',
      description: `The default is ${defaultUrl}; the EU has another host.`,
    }),
  ],
  eventTypes: typesWithSubject,
  threads: 'alerts',
  checkParameters,
  urlOf,
  buildRequest: (given, event, context) => {
    const { baseUrl, messageId, thread } = context;
    const message = messageOf(event, context);
    const { routingKey = '', severity = defaultSeverity } = given;
    const isTest = thread === undefined;
    // The key has the address of this server: two servers may share a service.
    const subject = createHash('sha256').update(`${baseUrl} ${thread?.subject.key ?? messageId}`);
    const alert = {
      routing_key: routingKey,
      event_action: thread?.isOpen === false ? 'resolve' : 'trigger',
      dedup_key: `yardarm-${subject.digest('hex')}`,
      payload: {
        summary: cutText(message.text, maxSummary),
        source: baseUrl,
        severity: isTest ? 'info' : severity,
        timestamp: new Date(event.created_at).toISOString(),
        component: event.feature_name ?? undefined,
        group: event.project ?? undefined,
        class: event.type,
        custom_details: JSON.parse(eventJson(event)) as unknown,
      },
      client: 'Yardarm',
      client_url: message.links[0]?.url ?? message.url,
      links: message.links.map(({ text, url: href }) => ({ href, text })),
    };
    return { ...jsonPost(urlOf(given), alert), secrets: [routingKey] };
  },
};

function checkParameters(given: SinkParameters): void {
  const { severity = defaultSeverity } = given;
  if (!severities.includes(severity)) throw badField('parameters.severity', `must be one of ${severities.join(', ')}`);
}

function urlOf({ url = '' }: SinkParameters): string {
  return url === '' ? defaultUrl : url;
}
