import { eventJson } from '#features/log/events/index.ts';
import { escapeJson, isJsonType, type OutboundRequest, parseHeaders } from '#features/platform/outbound/index.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { customHeaders, parameter, rejectInvalid } from './parameters.ts';
import type { Sink, SinkParameters } from './sink.ts';
import { compile } from './template.ts';

/** A webhook: sends each event to a URL (docs/spec#integrations). */
export const webhook: Sink = {
  name: 'webhook',
  displayName: 'Webhook',
  documentationUrl: '/docs/openapi',
  description: 'Sends each event to a URL, as JSON or in the format of a template.',
  howTo:
    'Enter the URL that receives events, and choose the events. Each event is sent by POST, at least once, with a signature (Standard Webhooks). Set a body template when the receiver expects another format.',
  parameters: [
    parameter({
      name: 'url',
      displayName: 'URL',
      type: 'url',
      description: 'The URL that events are sent to by POST.',
      required: true,
      sensitive: true,
    }),
    parameter({ name: 'contentType', displayName: 'Content-Type', description: 'The default is application/json.' }),
    parameter({
      name: 'authorization',
      displayName: 'Authorization',
      description: 'The value of the Authorization header.',
      sensitive: true,
    }),
    customHeaders,
    parameter({
      name: 'bodyTemplate',
      displayName: 'Body template',
      type: 'textfield',
      description:
        'A Mustache template with {{event.…}}, {{{eventJson}}} and {{eventMarkdown}}. The default is the event as JSON.',
    }),
  ],
  checkParameters,
  buildRequest,
};

function checkParameters(parameters: SinkParameters): void {
  rejectInvalid('parameters.bodyTemplate', () => compile(parameters['bodyTemplate'] ?? ''));
}

function buildRequest(parameters: SinkParameters, row: EventRow): OutboundRequest {
  const { url = '', contentType = '', authorization = '', customHeaders: more = '', bodyTemplate = '' } = parameters;
  if (url === '') throw new Error('the webhook has no URL: set the parameter url');
  const type = contentType === '' ? 'application/json' : contentType;
  const headers = {
    ...parseHeaders(more),
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
