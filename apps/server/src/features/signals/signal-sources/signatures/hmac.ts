import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReadHeader, SignatureScheme, Verdict } from './scheme.ts';

interface HmacSignature {
  /** The lower-case name of the header with the signatures, which may be several. */
  readonly header: string;
  /** The text at the beginning of each signature, such as `v1,`. */
  readonly prefix?: string;
  /** The text between several signatures. */
  readonly separator?: string;
  readonly encoding?: 'hex' | 'base64';
  /** Returns the text that is signed before the body; undefined when the request lacks a part of it. */
  readonly before?: (header: ReadHeader) => string | undefined;
  /** The header with the time of the request in seconds, for senders that sign it. */
  readonly timestamp?: string;
  /** Returns the key of a secret; by default its UTF-8 text. */
  readonly keyOf?: (secret: string) => Buffer | string;
}

/**
 * The maximum difference between the time of a signed request and now, before or after. Slack and Standard Webhooks
 * name this tolerance.
 */
const toleranceMs = 5 * 60 * 1000;

/** Returns a scheme of HMAC-SHA256 over the body, which compares in constant time. */
export function hmac(signature: HmacSignature): SignatureScheme {
  const { header: name, prefix = '', separator = ',', encoding = 'hex', timestamp } = signature;
  const { before = () => '', keyOf = (secret) => secret } = signature;
  return {
    header: name,
    verify: (secret, { header, body, now }): Verdict => {
      const given = header(name);
      const start = before(header);
      if (given === undefined || start === undefined) return { refusal: 'no signature' };
      const expected = createHmac('sha256', keyOf(secret)).update(start).update(body).digest();
      const digests = given
        .split(separator)
        .map((text) => text.trim())
        .slice(0, maxSignatures)
        .filter((text) => text.startsWith(prefix))
        .map((text) => Buffer.from(text.slice(prefix.length), encoding));
      const matches = digests.filter(
        (digest) => digest.length === expected.length && timingSafeEqual(digest, expected),
      );
      if (matches.length === 0) return { refusal: 'wrong signature' };
      const isLate = timestamp !== undefined && !isRecent(header(timestamp), now);
      return isLate ? { refusal: 'expired' } : { signature: expected.toString('hex') };
    },
  };
}

/**
 * The maximum number of signatures that are compared. A sender that rotates its key sends the signatures of both keys.
 */
const maxSignatures = 10;

function isRecent(seconds: string | undefined, now: number): boolean {
  return seconds !== undefined && /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) * 1000 - now) <= toleranceMs;
}
