import { eventTypes, integrationEventPattern } from '@yardarm/contract';
import { badField } from '../../kernel/errors.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import { eventJson } from '../events/index.ts';
import {
  checkHeaderValue,
  escapeJson,
  findUrlProblem,
  isJsonType,
  type OutboundRequest,
  parseHeaders,
} from '../outbound/index.ts';
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

/** The only provider of integrations: a webhook (docs/spec#integrations). */
export const webhook = {
  name: 'webhook',
  displayName: 'Webhook',
  documentationUrl: '/docs/openapi',
  description: 'Sends each event to a URL, as JSON or in the format of a template.',
  howTo:
    'Enter the URL that receives events, and choose the events. Each event is sent by POST, in order and at least once. Set a body template when the receiver expects another format.',
  parameters: [
    field('url', 'URL', 'url', 'The URL that events are sent to by POST.', true),
    field('contentType', 'Content-Type', 'text', 'The default is application/json.', false),
    field('authorization', 'Authorization', 'text', 'The value of the Authorization header.', true),
    field('customHeaders', 'Extra headers', 'textfield', 'A JSON object of header names and values.', true),
    field(
      'bodyTemplate',
      'Body template',
      'textfield',
      'A Mustache template with {{event.…}}, {{{eventJson}}} and {{eventMarkdown}}. The default is the event as JSON.',
      false,
    ),
  ],
  events: eventTypes.filter((type) => integrationEventPattern.test(type)),
} as const;

/** Throws a 400 that names the first invalid parameter. */
export function checkParameters(parameters: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(parameters).find(
    (name) => !webhook.parameters.some((parameter) => parameter.name === name),
  );
  if (unknown !== undefined) throw badField(`parameters.${unknown}`, 'is not a parameter of a webhook');
  const { url = '', contentType = '', authorization = '', customHeaders = '', bodyTemplate = '' } = parameters;
  const problem = findUrlProblem(url);
  if (problem !== undefined) throw badField('parameters.url', problem);
  rejectInvalid('contentType', () => checkHeaderValue(contentType));
  rejectInvalid('authorization', () => checkHeaderValue(authorization));
  rejectInvalid('customHeaders', () => parseHeaders(customHeaders));
  rejectInvalid('bodyTemplate', () => compile(bodyTemplate));
}

function rejectInvalid(parameter: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw badField(`parameters.${parameter}`, error instanceof Error ? error.message : 'is invalid');
  }
}

/** Builds the request that delivers an event. Throws when the body cannot be rendered. */
export function buildRequest({ parameters }: Integration, row: EventRow): OutboundRequest {
  const { url = '', contentType = '', authorization = '', customHeaders = '', bodyTemplate = '' } = parameters;
  if (url === '') throw new Error('the URL is not set');
  const type = contentType === '' ? 'application/json' : contentType;
  const headers = {
    ...parseHeaders(customHeaders),
    'content-type': type,
    ...(authorization === '' ? {} : { authorization }),
  };
  return { method: 'POST', url, headers, body: buildBody(bodyTemplate, type, eventJson(row)) };
}

function buildBody(template: string, contentType: string, text: string): string {
  if (template === '') return text;
  const event = JSON.parse(text) as { readonly summary: string };
  const view = { event, eventJson: JSON.stringify(text), eventMarkdown: event.summary };
  return compile(template)(view, isJsonType(contentType) ? escapeJson : (value) => value);
}
