import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { signingAlgorithms } from '@yardarm/contract';

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** A key that signs requests (Standard Webhooks). */
export interface SigningKey {
  readonly algorithm: SigningAlgorithm;
  /** `whsec_` or `whsk_` and the key in base64. */
  readonly secret: string;
  readonly createdAt: number;
  /** The key signs until this time; null for the current key. */
  readonly until: number | null;
}

/** How long the previous key keeps signing beside the new one. */
const rotationMs = 24 * 60 * 60 * 1000;

/** Creates a signing key. */
export function createSigningKey(algorithm: SigningAlgorithm, now: number): SigningKey {
  return { algorithm, secret: newSecret(algorithm), createdAt: now, until: null };
}

/** Returns the keys after a rotation: the new key, and the current one, which signs for a day more. */
export function rotateKeys(keys: readonly SigningKey[], key: SigningKey, now: number): SigningKey[] {
  const current = keys.filter(({ until }) => until === null);
  return [key, ...current.map((previous) => ({ ...previous, until: now + rotationMs }))];
}

/**
 * Returns the key that a receiver verifies signatures with: the shared secret (`whsec_…`), or the public key
 * (`whpk_…`), which is no secret.
 */
export function verificationKey({ algorithm, secret }: SigningKey): string {
  if (algorithm === 'hmac-sha256') return secret;
  const publicKey = createPublicKey(privateKeyOf(secret)).export({ format: 'jwk' });
  return `whpk_${Buffer.from(publicKey.x ?? '', 'base64url').toString('base64')}`;
}

/** Returns the headers of a signed message: its id, the time and a signature of each key. */
export function signedHeaders(
  keys: readonly SigningKey[],
  messageId: string,
  now: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const valid = keys.filter(({ until }) => until === null || until > now);
  const headers = { 'webhook-id': messageId, 'webhook-timestamp': timestamp };
  if (valid.length === 0) return headers;
  const text = `${messageId}.${timestamp}.${body}`;
  return { ...headers, 'webhook-signature': valid.map((key) => signatureOf(key, text)).join(' ') };
}

function signatureOf({ algorithm, secret }: SigningKey, text: string): string {
  if (algorithm === 'ed25519') return `v1a,${sign(null, Buffer.from(text), privateKeyOf(secret)).toString('base64')}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

function newSecret(algorithm: SigningAlgorithm): string {
  if (algorithm === 'hmac-sha256') return `whsec_${randomBytes(32).toString('base64')}`;
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  // Standard Webhooks: the 32 bytes of the seed, then the 32 bytes of the public key.
  const key = Buffer.concat([Buffer.from(d ?? '', 'base64url'), Buffer.from(x ?? '', 'base64url')]);
  return `whsk_${key.toString('base64')}`;
}

function privateKeyOf(secret: string) {
  const key = Buffer.from(secret.slice('whsk_'.length), 'base64');
  const [d, x] = [key.subarray(0, 32), key.subarray(32)].map((part) => part.toString('base64url'));
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: d ?? '', x: x ?? '' }, format: 'jwk' });
}
