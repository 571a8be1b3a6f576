import { eventTypes } from '@yardarm/contract';
import { badField } from '../../kernel/errors.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import { eventJson } from '../events/index.ts';
import { checkHeaderValue, headersIn, inJson, isJsonType, type Message, urlProblem } from '../outbound/index.ts';
import type { Integration } from './integration.ts';
import { compile } from './template.ts';

const field = (name: string, displayName: string, type: string, description: string, secret: boolean) => ({
  name,
  displayName,
  type,
  description,
  required: name === 'url',
  sensitive: secret,
});

/** What can be told of events: whatever takes a request (docs/spec#integrations). */
export const webhook = {
  name: 'webhook',
  displayName: 'Webhook',
  documentationUrl: '/docs/openapi',
  description: 'Sends each event to a URL, as it is or as a template says.',
  parameters: [
    field('url', 'URL', 'url', 'Where events are sent by POST.', true),
    field('contentType', 'Content-Type', 'text', 'application/json when empty.', false),
    field('authorization', 'Authorization', 'text', 'Value of the header Authorization.', true),
    field('customHeaders', 'Extra headers', 'textfield', 'A JSON object of header names and values.', true),
    field(
      'bodyTemplate',
      'Body template',
      'textfield',
      'Mustache with {{event.…}}, {{{eventJson}}} and {{eventMarkdown}}; the event as JSON when empty.',
      false,
    ),
  ],
  events: eventTypes.filter((type) => /^(feature|change|release-plan)-/.test(type)),
} as const;

/** A 400 that names the first parameter which is wrong. */
export function checkParameters(parameters: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(parameters).find((name) => !webhook.parameters.some((one) => one.name === name));
  if (unknown !== undefined) throw badField(`parameters.${unknown}`, 'is no parameter of a webhook');
  const { url = '', contentType = '', authorization = '', customHeaders = '', bodyTemplate = '' } = parameters;
  const problem = urlProblem(url);
  if (problem !== undefined) throw badField('parameters.url', problem);
  attempt('contentType', () => checkHeaderValue(contentType));
  attempt('authorization', () => checkHeaderValue(authorization));
  attempt('customHeaders', () => headersIn(customHeaders));
  attempt('bodyTemplate', () => compile(bodyTemplate));
}

function attempt(parameter: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw badField(`parameters.${parameter}`, error instanceof Error ? error.message : 'is wrong');
  }
}

/** The request that tells of an event. */
export function messageOf({ parameters }: Integration, row: EventRow): Message {
  const { url = '', contentType = '', authorization = '', customHeaders = '', bodyTemplate = '' } = parameters;
  if (url === '') throw new Error('the URL is not set');
  const type = contentType === '' ? 'application/json' : contentType;
  const headers = {
    ...headersIn(customHeaders),
    'content-type': type,
    ...(authorization === '' ? {} : { authorization }),
  };
  return { method: 'POST', url, headers, body: bodyOf(bodyTemplate, type, eventJson(row)) };
}

function bodyOf(template: string, contentType: string, text: string): string {
  if (template === '') return text;
  const event = JSON.parse(text) as { readonly summary: string };
  const view = { event, eventJson: JSON.stringify(text), eventMarkdown: event.summary };
  return compile(template)(view, isJsonType(contentType) ? inJson : (value) => value);
}
