import { hash } from 'node:crypto';
import { compressQuickly, encodingFor } from '#http/content-encoding.ts';
import { matchesEtag } from '#http/if-none-match.ts';
import type { RequestInfo } from '#http/request.ts';

type Headers = Readonly<Record<string, string>>;

export type EvaluationAnswer =
  | { readonly status: 304; readonly headers: Headers }
  | { readonly status: 200; readonly headers: Headers; readonly body: Buffer };

/** `Origin`, because the CORS headers depend on it. */
const vary = 'Origin, Accept-Encoding';

/**
 * The flags as evaluated for one context. `digest` is a hash of the body and serves as its ETag; it holds no quotes.
 */
export interface EvaluatedFlags {
  readonly digest: string;
  body(): string;
}

/** Returns a short hash of a text, the same in every process. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 24);
}

/**
 * Returns the answer to an evaluation. The ETag depends on the evaluated flags only, not on the context: an SDK whose
 * flags did not change gets a 304, for which no body is built.
 */
export function evaluationAnswer(
  { digest, body }: EvaluatedFlags,
  request: RequestInfo,
): EvaluationAnswer | Promise<EvaluationAnswer> {
  const etag = `"${digest}"`;
  // Weak, because it is the same for every encoding.
  const headers = { etag: `W/${etag}`, vary, 'cache-control': 'no-cache' };
  if (matchesEtag(request.header('if-none-match'), etag)) return { status: 304, headers };
  const bytes = Buffer.from(body());
  const encoding = encodingFor(request.header('accept-encoding'), bytes.length);
  if (encoding === 'identity') return { status: 200, headers, body: bytes };
  const encoded = { ...headers, 'content-encoding': encoding };
  const compressed = compressQuickly(bytes, encoding);
  if (!(compressed instanceof Promise)) return { status: 200, headers: encoded, body: compressed };
  return compressed.then((body) => ({ status: 200, headers: encoded, body }));
}
