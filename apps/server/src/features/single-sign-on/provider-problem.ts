import * as oidc from 'openid-client';
import { Problem } from '../../kernel/errors.ts';

/** Codes of the library that say that the provider, not the login, is at fault. */
const faults = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
]);

/**
 * What somebody who logs in is told when talking to the provider has failed: 403 when it did not let them in, 401 when
 * what it said proves nothing, 502 or 504 when it cannot be talked to. The log has more, but no token.
 */
export function providerProblem(error: unknown, warn: (about: object, message: string) => void): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof oidc.AuthorizationResponseError) return refusedThere(error.error, error.error_description);
  const { code, message } = error as { code?: unknown; message?: unknown };
  const said = error instanceof oidc.ResponseBodyError ? error.error : undefined;
  warn({ code, said, because: causesOf(error) }, `single sign-on: ${String(message)}`);
  if (said === 'invalid_grant') return proofless('The provider takes this login for used or over. Begin again.');
  if (isTimeout(error)) {
    return new Problem('GatewayTimeoutError', 'The provider that people log in at does not answer. Try again later.');
  }
  if (error instanceof oidc.ClientError && code !== undefined && !faults.has(String(code)))
    return proofless('What the provider said of you does not hold. Begin again.');
  return new Problem(
    'BadGatewayError',
    'The provider that people log in at cannot be reached, or does not answer as it should. Try again later.',
  );
}

/** The provider did not let somebody in, and says why; the words come through the browser, so anybody may have put them there. */
function refusedThere(error: string, description: string | undefined): Problem {
  const words = description === undefined ? error : `${error}: ${description}`;
  return new Problem(
    'ForbiddenError',
    `The provider did not let you in (${words
      .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
      .slice(0, 500)
      .toWellFormed()}).`,
  );
}

function proofless(message: string): Problem {
  return new Problem('UnauthorizedError', message);
}

function isTimeout(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return code === 'OAUTH_TIMEOUT' || name === 'TimeoutError';
}

/** The messages of what led to an error. Nothing else of it: some hold the answers of the provider, with tokens in them. */
function causesOf(error: unknown): string[] {
  const messages: string[] = [];
  for (let at = (error as { cause?: unknown }).cause; at instanceof Error; at = at.cause) messages.push(at.message);
  return messages;
}
