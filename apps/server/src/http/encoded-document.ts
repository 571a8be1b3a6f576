import { createHash } from 'node:crypto';
import { compress, type Encoding, encodingFor } from './content-encoding.ts';
import { matchesEtag, vary } from './if-none-match.ts';
import type { RequestInfo } from './request.ts';

type Headers = Readonly<Record<string, string>>;
type DocumentAnswer =
  | { readonly status: 304; readonly headers: Headers }
  | { readonly status: 200; readonly headers: Headers; readonly body: Uint8Array };

interface Built {
  readonly etag: string;
  readonly bytes: Buffer;
}

/**
 * A document that stays the same while the process runs. It is built at the first request, compressed once for each
 * encoding that a client asks for, and sent from the same memory to all readers.
 */
export class EncodedDocument {
  readonly #build: () => Promise<string> | string;
  #built: Promise<Built> | undefined;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(build: () => Promise<string> | string) {
    this.#build = build;
  }

  /** Returns the answer to a request: a 304 when the client has the document. */
  async answer(request: RequestInfo): Promise<DocumentAnswer> {
    this.#built ??= this.#buildOnce();
    const { etag, bytes } = await this.#built;
    // Weak, because it is the same for every encoding.
    const headers = { etag: `W/${etag}`, vary, 'cache-control': 'no-cache' };
    if (matchesEtag(request.header('if-none-match'), etag)) return { status: 304, headers };
    const encoding = encodingFor(request.header('accept-encoding'), bytes.length);
    if (encoding === 'identity') return { status: 200, headers, body: bytes };
    const body = await this.#compressed(encoding, bytes);
    return { status: 200, headers: { ...headers, 'content-encoding': encoding }, body };
  }

  async #buildOnce(): Promise<Built> {
    const bytes = Buffer.from(await this.#build());
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
  }

  #compressed(encoding: Exclude<Encoding, 'identity'>, bytes: Buffer): Promise<Buffer> {
    const known = this.#encoded.get(encoding) ?? compress(bytes, encoding);
    this.#encoded.set(encoding, known);
    return known;
  }
}
