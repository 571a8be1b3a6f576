import { type HttpResult, parseHeaders, type SendResult } from '#features/platform/outbound/index.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { jsonPost } from './json-post.ts';
import { clientAddressOf, messageOf } from './message.ts';
import { customHeaders, parameter } from './parameters.ts';
import type { Sink, SinkContext, SinkParameters } from './sink.ts';

const parameters = [
  parameter({
    name: 'url',
    displayName: 'Endpoint',
    type: 'url',
    description:
      'The OTLP/HTTP endpoint, such as https://collector.example.com:4318. The path /v1/logs is added when it is missing.',
    required: true,
  }),
  parameter({
    name: 'serviceName',
    displayName: 'Service name',
    description: 'The resource attribute service.name. The default is yardarm.',
  }),
  customHeaders,
];

/** The number of INFO in the data model of logs. */
const severityInfo = 9;

/** OpenTelemetry logs by OTLP over HTTP, in JSON (docs/spec#integration-requests). */
export const otlp: Sink = {
  name: 'otlp',
  displayName: 'OpenTelemetry logs',
  documentationUrl: 'https://opentelemetry.io/docs/specs/otlp/#otlphttp',
  description: 'Sends each event as a log record to an OpenTelemetry collector, or to a backend that speaks OTLP.',
  howTo:
    'Enter the OTLP/HTTP endpoint of the collector, usually port 4318. Put the key of a backend into the extra headers.',
  parameters,
  urlOf,
  buildRequest: (given, event, context) => {
    const { serviceName = '', customHeaders: more = '' } = given;
    const resource = { attributes: attributes({ 'service.name': serviceName === '' ? 'yardarm' : serviceName }) };
    const scopeLogs = [{ scope: { name: 'yardarm.events' }, logRecords: [logRecord(event, context)] }];
    return { ...jsonPost(urlOf(given), { resourceLogs: [{ resource, scopeLogs }] }, parseHeaders(more)), judge };
  },
};

function urlOf({ url = '' }: SinkParameters): string {
  const target = new URL(url);
  const path = target.pathname.replace(/\/+$/, '');
  target.pathname = path.endsWith('/v1/logs') ? path : `${path}/v1/logs`;
  return target.href;
}

function logRecord(event: EventRow, context: SinkContext) {
  const { baseUrl, messageId } = context;
  const { text, reason, outcome, url } = messageOf(event, { baseUrl });
  // OTLP's JSON has 64-bit integers as decimal strings.
  const timeUnixNano = `${BigInt(event.created_at) * 1_000_000n}`;
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber: severityInfo,
    severityText: 'INFO',
    eventName: `yardarm.${event.type}`,
    body: { stringValue: text },
    attributes: attributes({
      'event.name': `yardarm.${event.type}`,
      'yardarm.event.id': event.id,
      'yardarm.event.type': event.type,
      'yardarm.project': event.project,
      'yardarm.environment': event.environment,
      'feature_flag.key': event.feature_name,
      'user.id': event.created_by_user_id === null ? null : String(event.created_by_user_id),
      'user.name': event.created_by,
      'client.address': clientAddressOf(event, context),
      'yardarm.outcome': outcome,
      'yardarm.reason': reason,
      'yardarm.message.id': messageId,
      'url.full': url,
    }),
  };
}

/** Returns attributes as key-value pairs, without those that are null. */
function attributes(values: Readonly<Record<string, string | number | null>>) {
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    }));
}

/** Returns the result of an answer: a rejected record is reported with status 200, and must not be sent again. */
function judge(answer: HttpResult): SendResult {
  // The answer may be cut, so it is searched and not parsed.
  const rejected = /"rejectedLogRecords"\s*:\s*"?(\d{1,19})/.exec(answer.answer)?.[1] ?? '0';
  if (answer.status !== 200 || Number(rejected) === 0) return answer;
  const why = /"errorMessage"\s*:\s*"((?:[^"\\]|\\.){1,200})/.exec(answer.answer)?.[1];
  return { failure: `The receiver rejected the log record${why === undefined ? '' : `: ${why}`}.`, final: true };
}
