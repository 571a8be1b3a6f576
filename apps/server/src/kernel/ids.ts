import { hash, randomBytes, randomUUID } from 'node:crypto';

/** A random UUID (version 4): request ids, strategy ids, event groups. */
export function newId(): string {
  return randomUUID();
}

/** `prefix` followed by 43 url-safe characters from 32 random bytes (docs/spec#signal-tokens). */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** What is stored of a secret: SHA-256, base64url. 32 random bytes need no salt and no slow hash. */
export function secretHash(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
