import type { IncomingMessage } from 'node:http';

const name = 'host';

/**
 * Returns the error text for a missing or repeated `Host` header; undefined when it is valid. HTTP/1.1 requires one
 * (RFC 9112,
 * 3.2). With two, a proxy may have checked one and Node would read the other.
 */
export function hostProblem({ headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (headers.host === undefined)
    return httpVersion === '1.1' ? 'The header Host is missing. HTTP/1.1 requires it.' : undefined;
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) found++;
  }
  return found > 1 ? `The header Host was sent ${found} times. Send it once.` : undefined;
}
