import { hash } from 'node:crypto';
import type { RequestInfo } from '../../http/request.ts';
import { compress, encodingFor } from './content-encoding.ts';
import { namesTag } from './if-none-match.ts';

type Headers = Readonly<Record<string, string>>;

export type EvaluatedAnswer =
  | { readonly status: 304; readonly headers: Headers }
  | { readonly status: 200; readonly headers: Headers; readonly body: Buffer };

/** The page that asks decides too what headers there are. */
const vary = 'Origin, Accept-Encoding';

/**
 * An answer of flags that were evaluated for somebody. Its tag names what was evaluated, whatever it was evaluated for: an
 * SDK whose flags stay as they are gets a 304.
 */
export function evaluatedAnswer(body: string, request: RequestInfo): EvaluatedAnswer | Promise<EvaluatedAnswer> {
  const bytes = Buffer.from(body);
  const tag = `"${hash('sha256', bytes, 'base64url').slice(0, 24)}"`;
  // Weak, because it is the same for every encoding.
  const headers = { etag: `W/${tag}`, vary, 'cache-control': 'no-cache' };
  if (namesTag(request.header('if-none-match'), tag)) return { status: 304, headers };
  const encoding = encodingFor(request.header('accept-encoding'), bytes.length);
  if (encoding === 'identity') return { status: 200, headers, body: bytes };
  return compress(bytes, encoding).then((compressed) => ({
    status: 200,
    headers: { ...headers, 'content-encoding': encoding },
    body: compressed,
  }));
}
