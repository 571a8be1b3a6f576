import type { OutboundRequest } from '../../outbound/index.ts';

/** Returns a POST of JSON. */
export function jsonPost(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): OutboundRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
