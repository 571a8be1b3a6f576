import type { OutboundRequest } from '#features/platform/outbound/index.ts';

/** Returns a POST of JSON. */
export function jsonPost(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): OutboundRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    // Strict parsers refuse half a character, as a name or a payload can have.
    body: JSON.stringify(body, (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)),
  };
}
