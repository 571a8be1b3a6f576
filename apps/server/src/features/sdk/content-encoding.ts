import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

export type Encoding = 'identity' | 'gzip' | 'br';

/** Smaller answers cost more to unpack than they save on the way. */
const smallestCompressed = 1024;
const offered = ['br', 'gzip'] as const;
const rememberedHeaders = 1000;
const chosen = new Map<string, Encoding>();

/**
 * The encoding to send for an `Accept-Encoding` header (RFC 9110, 12.5.3): the one of ours that the client likes
 * best, brotli when it likes two alike, and the bytes as they are when it names neither.
 */
export function encodingFor(header: string | undefined, length: number): Encoding {
  if (header === undefined || length < smallestCompressed) return 'identity';
  const known = chosen.get(header);
  if (known !== undefined) return known;
  const encoding = choose(header);
  // Clients send few different headers; somebody who sends many does not fill the memory.
  if (chosen.size >= rememberedHeaders) chosen.clear();
  chosen.set(header, encoding);
  return encoding;
}

function choose(header: string): Encoding {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  let best: Encoding = 'identity';
  let bestWeight = 0;
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return bestWeight < (weights.get('identity') ?? 0) ? 'identity' : best;
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/**
 * Compresses in another thread, for an answer that many get. Beyond these levels an answer takes twice as long and is
 * hardly smaller.
 */
export function compress(bytes: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(bytes, { level: 3 });
  return brotliAsync(bytes, brotliOptions(4, bytes));
}

/** Up to this length, compressing takes less time than to hand it to another thread and back. */
const smallEnough = 128 * 1024;

/** Compresses an answer that one caller gets, quickly: it is some 10 % larger than by {@link compress}. */
export function compressQuickly(bytes: Buffer, encoding: Exclude<Encoding, 'identity'>): Buffer | Promise<Buffer> {
  const [level, options] = [{ level: 1 }, brotliOptions(1, bytes)];
  if (bytes.length > smallEnough) return encoding === 'gzip' ? gzipAsync(bytes, level) : brotliAsync(bytes, options);
  return encoding === 'gzip' ? gzipSync(bytes, level) : brotliCompressSync(bytes, options);
}

function brotliOptions(quality: number, { length }: Buffer) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: length } };
}
