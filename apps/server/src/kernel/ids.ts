import { hash, randomBytes, randomUUID } from 'node:crypto';

/** Returns a random UUID (version 4), for ids of requests, strategies and event groups. */
export function newId(): string {
  return randomUUID();
}

/** Returns `prefix` followed by 43 URL-safe characters from 32 random bytes (docs/spec#signal-tokens). */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * Returns the hash of a secret to store: SHA-256, base64url. Secrets of 32 random bytes need no salt and no slow hash.
 */
export function secretHash(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
