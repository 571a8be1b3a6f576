import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { bodyBounds, exceededBound, type JsonBounds, parseExactJson } from '@yardarm/contract';
import { Problem } from '#kernel/errors.ts';
import { firstOf } from '#kernel/lists.ts';
import { sendContinue } from './expect-continue.ts';

/**
 * The number of bytes of a too large body that are read and dropped, so that the sender can be answered on the
 * connection.
 */
const drainBytes = 16 * 1024 * 1024;

/**
 * Reads a body of at most `limit` bytes. Rejects with the Problem of `refusal`, by default a 413, when the body is
 * larger. Reads and drops up to {@link drainBytes} more, so that the connection stays usable.
 */
export async function readBody(stream: IncomingMessage, limit: number, refusal?: () => Problem): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await readChunks(stream, limit, (chunk) => void chunks.push(chunk), refusal);
  return chunks.length === 1 ? firstOf(chunks) : Buffer.concat(chunks);
}

/**
 * Reads a body like {@link readBody} into a resizable ArrayBuffer. The memory of the ArrayBuffer returns to the
 * operating system when the ArrayBuffer is released; that of a Buffer would stay with the process.
 */
export async function readLargeBody(stream: IncomingMessage, limit: number): Promise<ArrayBuffer> {
  const body = new ArrayBuffer(0, { maxByteLength: limit });
  await readChunks(stream, limit, (chunk) => {
    const start = body.byteLength;
    body.resize(start + chunk.length);
    new Uint8Array(body).set(chunk, start);
  });
  return body;
}

/** Reads a body of at most `limit` bytes in chunks, as {@link readBody} does. */
export function readChunks(
  stream: IncomingMessage,
  limit: number,
  take: (chunk: Buffer) => void,
  // A function, so that the error is created only when it is thrown: its stack trace took 8 % of the time of a signal.
  refusal = () => tooLarge(limit),
): Promise<void> {
  const declared = Number(stream.headers['content-length'] ?? 0);
  if (declared > limit) {
    if (declared <= drainBytes) stream.resume();
    return Promise.reject(refusal());
  }
  sendContinue(stream);
  return new Promise((resolve, reject) => {
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) take(chunk);
      else {
        // Before the stream ends: a destroyed stream emits neither `end` nor `error`.
        reject(refusal());
        if (size > limit + drainBytes) stream.destroy();
      }
    });
    stream.on('end', resolve);
    stream.on('error', () => reject(new Problem('BadRequestError', 'The request ended before its body was complete.')));
  });
}

/** Throws the 413 when a body that was read is larger than `limit` bytes. */
export function requireSize(body: Buffer, limit: number): void {
  if (body.length > limit) throw tooLarge(limit);
}

function tooLarge(limit: number): Problem {
  return new Problem('ContentTooLarge', `The body is too large: at most ${limit} bytes are allowed.`);
}

/**
 * Decoding in pieces avoids strings above 1 MB, which V8 stores outside the heap, in memory that stays with the
 * process.
 */
const pieceBytes = 512 * 1024;

/** Returns the body as text. Rejects with 400 when it is not UTF-8. */
export function decodeUtf8(body: Buffer): string {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  try {
    if (body.length <= pieceBytes) return utf8.decode(body);
    let text = '';
    for (let start = 0; start < body.length; start += pieceBytes)
      text += utf8.decode(body.subarray(start, start + pieceBytes), { stream: true });
    return text + utf8.decode();
  } catch (error) {
    throw new Problem('BadDataError', 'The body is not valid UTF-8.', { cause: error });
  }
}

/** Returns whether the body of a request exceeds `bytes` or has no declared length. */
export function mayBeLargerThan({ headers }: IncomingMessage, bytes: number): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes;
}

/**
 * Rejects with 415 unless the body has one of the `accepted` media types and is not compressed, because the size limit
 * counts the bytes as sent. `+json` accepts every type `application/*+json`.
 */
export function checkBodyHeaders(headers: IncomingHttpHeaders, accepted: readonly string[]): void {
  checkMediaType(headers['content-type'], accepted);
  checkEncoding(headers['content-encoding']);
}

/** Rejects with 415 unless the header names one of the `accepted` media types. */
export function checkMediaType(header: string | undefined, accepted: readonly string[]): void {
  const type = mediaTypeOf(header);
  const matches = accepted.some((allowed) =>
    allowed.startsWith('+') ? /^application\/.+/.test(type) && type.endsWith(allowed) : type === allowed,
  );
  if (matches) return;
  const named = accepted.map((allowed) => (allowed.startsWith('+') ? `application/*${allowed}` : allowed)).join(' or ');
  throw new Problem(
    'ContentTypeError',
    type === '' ? `Content-Type is missing: it must be ${named}.` : `Content-Type must be ${named}, not ${type}.`,
  );
}

/** Returns the media type of a Content-Type header in lower case; empty without one. */
export function mediaTypeOf(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

const gunzipAsync = promisify(gunzip);

/**
 * Returns the content of a body that was compressed with gzip. Rejects with 413 when it has more than `limit` bytes,
 * without inflating the rest, and with 400 when it is not gzip.
 */
export async function inflateBody(body: Buffer, limit: number): Promise<Buffer> {
  try {
    return await gunzipAsync(body, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw new Problem('BadDataError', 'The body is not valid gzip, which Content-Encoding names.', { cause: error });
  }
}

/** Rejects compressed bodies with 415. */
export function checkEncoding(header: string | undefined): void {
  if (header === undefined || header.toLowerCase() === 'identity') return;
  throw new Problem(
    'ContentTypeError',
    `Content-Encoding ${header} is not supported. Send the body without compression.`,
  );
}

/**
 * Parses JSON, with a `LongNumber` for each number that a double does not hold when `exactNumbers` is set. Rejects with
 * 400 when the text is not JSON, exceeds the bounds, or tries to reach a prototype.
 */
export function parseJson(text: string, bounds: JsonBounds = bodyBounds, exactNumbers = false): unknown {
  const exceeded = exceededBound(text, bounds);
  if (exceeded !== undefined) throw new Problem('BadDataError', `The body ${exceeded}.`);
  try {
    // A reviver is several times slower than plain parsing. A key can be __proto__ only if the text contains one of
    // these.
    if (/__proto__|\\u/.test(text)) {
      const checked: unknown = JSON.parse(text, refusePrototype);
      if (!exactNumbers) return checked;
    }
    return exactNumbers ? parseExactJson(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('BadDataError', 'The body is not valid JSON.', { cause: error });
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new Problem('BadDataError', 'The body must not contain the key __proto__.');
  return value;
}
