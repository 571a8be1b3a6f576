import * as oidc from 'openid-client';
import { Problem } from '#kernel/errors.ts';

/** Error codes of openid-client that mean that the provider is misconfigured or broken. */
const faults = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
]);

/**
 * Returns the error to answer when a call of the provider failed: 403 when the provider denied the login, 401 when its
 * answer is not valid, 502 when it cannot be reached or is broken, 504 when it timed out. Logs the details, without
 * tokens.
 */
export function providerError(error: unknown, warn: (about: object, message: string) => void): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof oidc.AuthorizationResponseError) return deniedByProvider(error.error, error.error_description);
  const { code, message } = error as { code?: unknown; message?: unknown };
  const providerCode = error instanceof oidc.ResponseBodyError ? error.error : undefined;
  warn({ code, providerCode, causes: causesOf(error) }, `single sign-on failed: ${String(message)}`);
  if (providerCode === 'invalid_grant')
    return notAuthenticated('The single sign-on provider rejected this login as used or expired. Log in again.');
  if (isTimeout(error)) {
    return new Problem('GatewayTimeoutError', 'The single sign-on provider did not answer in time. Try again later.');
  }
  if (error instanceof oidc.ClientError && code !== undefined && !faults.has(String(code)))
    return notAuthenticated('The answer of the single sign-on provider is not valid. Log in again.');
  return new Problem(
    'BadGatewayError',
    'The single sign-on provider cannot be reached or sent an invalid answer. Try again later, or ask an administrator.',
  );
}

/**
 * Returns the 403 for a login that the provider denied, with its reason. The reason comes from the URL and may be
 * forged, so it is cleaned.
 */
function deniedByProvider(error: string, description: string | undefined): Problem {
  const words = description === undefined ? error : `${error}: ${description}`;
  return new Problem(
    'ForbiddenError',
    `The single sign-on provider denied the login (${words
      .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
      .slice(0, 500)
      .toWellFormed()}).`,
  );
}

function notAuthenticated(message: string): Problem {
  return new Problem('UnauthorizedError', message);
}

function isTimeout(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return code === 'OAUTH_TIMEOUT' || name === 'TimeoutError';
}

/** Returns only the messages of an error's causes: other fields may hold answers of the provider, with tokens. */
function causesOf(error: unknown): string[] {
  const messages: string[] = [];
  for (let at = (error as { cause?: unknown }).cause; at instanceof Error; at = at.cause) messages.push(at.message);
  return messages;
}
