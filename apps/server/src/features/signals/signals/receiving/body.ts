import { exceededBound, parseExactJson } from '@yardarm/contract';
import { type Redaction, redact, type SignalSource } from '#features/signals/signal-sources/index.ts';
import { checkEncoding, checkMediaType, decodeUtf8, inflateBody, mediaTypeOf } from '#http/body.ts';
import type { RequestInfo } from '#http/request.ts';
import { Problem } from '#kernel/errors.ts';

/** The nesting limit of a payload (docs/spec#signal-body). The number of values is bounded by the size of the body. */
const payloadBounds = { depth: 64, members: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

const form = 'application/x-www-form-urlencoded';
const json = ['application/json', '+json', 'text/plain'];

/** A payload: its JSON text as it is stored, and the parsed value. */
export interface Payload {
  readonly text: string;
  readonly value: unknown;
}

/** The payloads of a body. */
interface Payloads {
  readonly payloads: readonly Payload[];
  /** Whether the body is a batch, also one of a single event. */
  readonly isBatch: boolean;
}

/**
 * Returns a body without its compression. Rejects with 415 for a compression that the source does not use, with 413
 * when the inflated body has more than `limit` bytes, and with 400 when the compressed data is invalid.
 */
export function inflatedBody(
  body: Buffer,
  request: Pick<RequestInfo, 'header'>,
  source: SignalSource,
  limit: number,
): Buffer | Promise<Buffer> {
  const encoding = request.header('content-encoding');
  if (body.length === 0) return body;
  if (source.compresses === true && encoding?.toLowerCase() === 'gzip') return inflateBody(body, limit);
  checkEncoding(encoding);
  return body;
}

/**
 * Returns the payloads of a body (docs/spec#signal-body): one, or those of a batch. Throws a 415 for a media type that
 * the source does not accept, and a 400 for an invalid body.
 */
export function payloadsOfBody(
  body: Buffer,
  request: Pick<RequestInfo, 'header' | 'headersAfter'>,
  source: SignalSource,
): Payloads {
  const headersAfter = (prefix: string) => request.headersAfter(prefix);
  const enveloped = source.envelope?.({ body, contentType: request.header('content-type'), headersAfter });
  if (enveloped !== undefined) return single(parsePayload(enveloped));
  if (body.length === 0) return single(emptyPayload);
  const type = request.header('content-type');
  const mediaType = mediaTypeOf(type);
  const { batches } = source;
  if (type !== undefined || source.omitsContentType !== true)
    checkMediaType(type, [...json, ...(source.form ? [form] : []), ...(batches ? [batches.lines] : [])]);
  const text = decodeUtf8(body);
  if (mediaType === batches?.array) return batchOf(parseArray(text));
  if (mediaType === batches?.lines) return batchOf(filledLines(text).map(parsePayload));
  if (mediaType !== form || source.form === undefined) {
    const isText = source.takesText === true && mediaType === 'text/plain' && !isJson(text);
    return single(parsePayload(isText ? JSON.stringify(text) : text));
  }
  const fields = new URLSearchParams(text);
  if (source.form.field === null) return single(parsePayload(JSON.stringify(Object.fromEntries(fields))));
  const field = fields.get(source.form.field);
  if (field === null) throw new Problem('BadDataError', `The form has no field ${source.form.field}.`);
  return single(parsePayload(field));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A text for people.
    return false;
  }
}

/** The maximum number of events in a batch. */
const maxBatch = 100;

function single(payload: Payload): Payloads {
  return { payloads: [payload], isBatch: false };
}

function batchOf(payloads: readonly Payload[]): Payloads {
  if (payloads.length > maxBatch)
    throw new Problem('BadDataError', `The batch has ${payloads.length} events. At most ${maxBatch} are allowed.`);
  if (payloads.some(({ value }) => typeof value !== 'object' || value === null || Array.isArray(value)))
    throw new Problem('BadDataError', 'Each event of a batch must be a JSON object.');
  return { payloads, isBatch: true };
}

function parseArray(text: string): readonly Payload[] {
  const { value } = parsePayload(text);
  if (!Array.isArray(value)) throw new Problem('BadDataError', 'A batch must be a JSON array of events.');
  return value.map((event: unknown) => ({ text: JSON.stringify(event), value: event }));
}

function filledLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/**
 * Returns the payload to store for a text (docs/spec#signal-body): the text as it was sent, or `{}` for an empty one.
 * Throws a 400 when it is not JSON or is nested deeper than 64 levels.
 */
export function parsePayload(text: string): Payload {
  if (text.trim() === '') return emptyPayload;
  const exceeded = exceededBound(text, payloadBounds);
  if (exceeded !== undefined) throw new Problem('BadDataError', `The body ${exceeded}.`);
  try {
    return { text, value: parseExactJson(text) };
  } catch (error) {
    throw new Problem('BadDataError', 'The body is not valid JSON.', { cause: error });
  }
}

/** Returns the payload without the dropped values, and with hashes in place of the hashed values. */
export function redacted(payload: Payload, redaction: Redaction): Payload {
  if (redaction.dropped.length === 0 && redaction.hashed.length === 0) return payload;
  // Write the text again from the parsed value: when the text repeats a key, the value that the parser dropped must not
  // be stored either.
  const value = parseExactJson(payload.text);
  redact(value, redaction);
  return { text: JSON.stringify(value), value };
}

const emptyPayload: Payload = { text: '{}', value: {} };
