import { validateHeaderName, validateHeaderValue } from 'node:http';
import { eventTypes } from '@yardarm/contract';
import { badField } from '../../kernel/errors.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import { eventJson } from '../events/index.ts';
import type { Integration } from './integration.ts';
import type { Message } from './send.ts';
import { compile } from './template.ts';

const field = (name: string, displayName: string, type: string, description: string, secret: boolean) => ({
  name,
  displayName,
  type,
  description,
  required: name === 'url',
  sensitive: secret,
});

/** What can be told of events: whatever takes a request (unleash-facts 6.10). */
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

const ours = /^(host|content-length|content-type|transfer-encoding|connection|upgrade|expect)$/i;

/** A 400 that names the first parameter which is wrong. */
export function checkParameters(parameters: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(parameters).find((name) => !webhook.parameters.some((one) => one.name === name));
  if (unknown !== undefined) throw badField(`parameters.${unknown}`, 'is no parameter of a webhook');
  const { url = '', contentType = '', authorization = '', customHeaders = '', bodyTemplate = '' } = parameters;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw badField('parameters.url', 'must be a URL that begins with http:// or https://');
  const { username, password } = new URL(url);
  if (username !== '' || password !== '') throw badField('parameters.url', 'must not hold a password');
  attempt('contentType', () => validateHeaderValue('content-type', contentType));
  attempt('authorization', () => validateHeaderValue('authorization', authorization));
  headersOf(customHeaders);
  try {
    compile(bodyTemplate);
  } catch (error) {
    throw badField('parameters.bodyTemplate', error instanceof Error ? error.message : 'is no template');
  }
}

function headersOf(text: string): Record<string, string> {
  if (text.trim() === '') return {};
  const wrong = badField('parameters.customHeaders', 'must be a JSON object of header names and values');
  let headers: unknown;
  try {
    headers = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) throw wrong;
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') throw wrong;
    if (ours.test(name)) throw badField('parameters.customHeaders', `must not set ${name}`);
    attempt('customHeaders', () => {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    });
  }
  return headers as Record<string, string>;
}

function attempt(parameter: string, check: () => void): void {
  try {
    check();
  } catch {
    // What it threw quotes the value, which may be a secret.
    throw badField(`parameters.${parameter}`, 'must hold only what HTTP allows in headers');
  }
}

/** The request that tells of an event. */
export function messageOf({ parameters }: Integration, row: EventRow): Message {
  const { url = '', contentType = '', authorization = '', customHeaders = '', bodyTemplate = '' } = parameters;
  const type = contentType === '' ? 'application/json' : contentType;
  const headers = {
    ...headersOf(customHeaders),
    'content-type': type,
    ...(authorization === '' ? {} : { authorization }),
  };
  return { url, headers, body: bodyOf(bodyTemplate, type, eventJson(row)) };
}

function bodyOf(template: string, contentType: string, text: string): string {
  if (template === '') return text;
  const event = JSON.parse(text) as { readonly summary: string };
  const view = { event, eventJson: JSON.stringify(text), eventMarkdown: event.summary };
  const isJson = /\bjson\b/i.test(contentType);
  return compile(template)(view, isJson ? inJson : (value) => value);
}

/** Text as it stands inside the quotes of a JSON string. */
function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
