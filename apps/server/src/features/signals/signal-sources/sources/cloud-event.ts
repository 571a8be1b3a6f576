import { isUtf8 } from 'node:buffer';

/** The headers and the body of a request. */
export interface EnvelopedRequest {
  readonly body: Buffer;
  readonly contentType: string | undefined;
  /** Returns the headers whose names begin with a prefix, without it. */
  headersAfter(prefix: string): Readonly<Record<string, string>>;
}

/**
 * Returns the JSON text of an event that is sent in the binary mode, in the structured mode: the attributes of its
 * headers, and its body as `data`, or as `data_base64` when it is neither JSON nor text. Undefined for other requests.
 */
export function structuredEvent({ body, contentType, headersAfter }: EnvelopedRequest): string | undefined {
  const headers = headersAfter('ce-');
  if (headers['specversion'] === undefined) return undefined;
  const attributes = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, decoded(value)]));
  const known = contentType === undefined ? attributes : { ...attributes, datacontenttype: contentType };
  const text = JSON.stringify(known);
  return body.length === 0 ? text : `${text.slice(0, -1)},${dataOf(body, contentType)}}`;
}

/** Returns the value of a header without its percent-encoding; as it is when it is not encoded. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Returns the member with the data. JSON stays as it was sent, and is parsed with the whole event. */
function dataOf(body: Buffer, contentType: string | undefined): string {
  const [type = ''] = (contentType ?? 'application/json').toLowerCase().split(';');
  if (/[/+]json$/.test(type.trim())) return `"data":${body.toString('utf8')}`;
  const isText = type.trim().startsWith('text/') && isUtf8(body);
  return isText
    ? `"data":${JSON.stringify(body.toString('utf8'))}`
    : `"data_base64":${JSON.stringify(body.toString('base64'))}`;
}
