import type { RequestInfo } from '#http/request.ts';
import type { StreamAccess } from '#http/streams.ts';
import type { Identity } from '#kernel/caller.ts';
import { limitsOf } from './filter.ts';

/**
 * Returns the access of a stream: it is valid while the credentials of the request give the same rights, and until they
 * expire, or the session has been idle too long. `identify` identifies the caller of a request again.
 */
export function streamAccess(
  identify: (request: RequestInfo) => Promise<Identity>,
  caller: Identity,
  request: RequestInfo,
): StreamAccess {
  const rights = rightsOf(caller);
  return {
    key: caller.sessionId === null ? `${request.header('authorization')}` : `session ${caller.sessionId}`,
    expiresAt: caller.expiresAt ?? null,
    check: async () => {
      const now = await identify(request).catch(() => undefined);
      return now !== undefined && rightsOf(now) === rights ? { expiresAt: now.expiresAt ?? null } : undefined;
    },
  };
}

function rightsOf(caller: Identity): string {
  const { onlyInProjects, hidden } = limitsOf(caller);
  return JSON.stringify([caller.actor.userId, onlyInProjects, [...hidden].sort()]);
}
