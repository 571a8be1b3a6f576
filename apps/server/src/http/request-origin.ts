import type { AuthenticationMethod, RequestOrigin } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';

const longestUserAgent = 200;

/** The fields of a request that {@link originOf} reads. */
interface OriginRequest {
  readonly clientAddress: string;
  header(name: string): string | undefined;
}

type Caller = Pick<Identity, 'kind' | 'sessionId' | 'tokenId'>;

/** Returns where a request came from. */
export function originOf(request: OriginRequest, caller: Caller): RequestOrigin {
  return {
    address: printable(request.clientAddress),
    userAgent: printable((request.header('user-agent') ?? '').slice(0, longestUserAgent)),
    method: methodOf(caller),
    sessionId: caller.sessionId,
    tokenId: caller.tokenId,
  };
}

function methodOf({ kind, sessionId }: Caller): AuthenticationMethod {
  if (sessionId !== null) return 'session';
  if (kind === 'user') return 'personal-token';
  if (kind === 'service-account') return 'service-account-token';
  return kind === 'admin-token' ? 'admin-token' : 'none';
}

/**
 * Returns the text without control characters and lone surrogates, which a header may contain; null when nothing is
 * left.
 */
function printable(text: string): string | null {
  return text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '') || null;
}
