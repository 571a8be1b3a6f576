import type { SignalAuthentication } from '@yardarm/contract';
import type { ReadHeader } from '#features/signals/signal-sources/index.ts';
import { bearerToken } from '#http/bearer.ts';

/** A secret that a request carries, and the place where it was. */
export interface Presented {
  readonly secret: string;
  readonly authentication: Exclude<SignalAuthentication, 'signature'>;
  /** The header with the secret, for the authentication `header`. */
  readonly header: string | null;
}

/**
 * Returns the secret in the path of a request or in its `Authorization` header (a bearer token, or the password of
 * Basic); undefined when there is none.
 */
export function presentedSecret(header: ReadHeader, pathSecret: string | undefined): Presented | undefined {
  if (pathSecret !== undefined) return { secret: pathSecret, authentication: 'path', header: null };
  const authorization = header('authorization');
  const password = basicPassword(authorization);
  if (password !== undefined) return { secret: password, authentication: 'basic', header: null };
  const bearer = bearerToken(authorization);
  return bearer === undefined ? undefined : { secret: bearer, authentication: 'bearer', header: null };
}

/** Returns the secret in the first of `headers` that a request carries. */
export function secretInHeaders(header: ReadHeader, headers: readonly string[]): Presented | undefined {
  for (const name of headers) {
    const secret = header(name);
    if (secret !== undefined && secret !== '') return { secret, authentication: 'header', header: name };
  }
  return undefined;
}

/** Returns the password of a Basic `Authorization` header; the user name does not count. */
function basicPassword(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}
