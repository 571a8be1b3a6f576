import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import { type ApiToken, projectOf } from './token.ts';

/** Returns a token as the API shows it, with its secret when `secret` is given. */
export function presentToken(token: ApiToken, secret: string | undefined) {
  return {
    id: token.id,
    tokenName: token.name,
    type: token.type,
    environment: token.environment,
    project: projectOf(token),
    projects: [...token.projects],
    createdAt: isoTime(token.createdAt),
    expiresAt: isoTimeOrNull(token.expiresAt),
    seenAt: isoTimeOrNull(token.seenAt),
    alias: null,
    secure: secret === undefined,
    ...(secret !== undefined && { secret }),
  };
}
