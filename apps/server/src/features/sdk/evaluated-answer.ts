import { hash } from 'node:crypto';
import type { RequestInfo } from '../../http/request.ts';
import { compressQuickly, encodingFor } from './content-encoding.ts';
import { namesTag } from './if-none-match.ts';

type Headers = Readonly<Record<string, string>>;

export type EvaluatedAnswer =
  | { readonly status: 304; readonly headers: Headers }
  | { readonly status: 200; readonly headers: Headers; readonly body: Buffer };

/** The page that asks decides too what headers there are. */
const vary = 'Origin, Accept-Encoding';

/** What flags are for somebody, told apart from all else that they might be by `mark`, which is text without quotes. */
export interface Evaluated {
  readonly mark: string;
  body(): string;
}

/** Stands for a text: the same for the same one, in every process. */
export function markOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 24);
}

/**
 * An answer of flags that were evaluated for somebody. Its tag names what was evaluated, whatever it was evaluated for: an
 * SDK whose flags stay as they are gets a 304, for which no body is made.
 */
export function evaluatedAnswer(
  { mark, body }: Evaluated,
  request: RequestInfo,
): EvaluatedAnswer | Promise<EvaluatedAnswer> {
  const tag = `"${mark}"`;
  // Weak, because it is the same for every encoding.
  const headers = { etag: `W/${tag}`, vary, 'cache-control': 'no-cache' };
  if (namesTag(request.header('if-none-match'), tag)) return { status: 304, headers };
  const bytes = Buffer.from(body());
  const encoding = encodingFor(request.header('accept-encoding'), bytes.length);
  if (encoding === 'identity') return { status: 200, headers, body: bytes };
  const encoded = { ...headers, 'content-encoding': encoding };
  const compressed = compressQuickly(bytes, encoding);
  if (!(compressed instanceof Promise)) return { status: 200, headers: encoded, body: compressed };
  return compressed.then((body) => ({ status: 200, headers: encoded, body }));
}
