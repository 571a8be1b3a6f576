import { breakGlassPermission } from '@yardarm/contract';
import { adminTokenUserId, anonymousActor } from '../../kernel/actor.ts';
import type { Identity } from '../../kernel/caller.ts';
import { type Account, actorOf } from './account.ts';
import type { Standing } from './standing.ts';

/** An account as a caller; `sessionId` is null when it came with a token. */
export function accountIdentity(account: Account, sessionId: number | null, standing: Standing): Identity {
  return {
    kind: account.kind,
    actor: actorOf(account),
    sessionId,
    can: (permission, scope) =>
      (account.kind === 'user' || mayAllButBreakGlass(permission)) && standing.can(permission, scope),
    canSomewhere: (permission) => standing.canSomewhere(permission),
    hidden: standing.hidden,
  };
}

/** Only people break glass: one person answers for the change, and another person looks at it. */
const mayAllButBreakGlass = (permission: string) => permission !== breakGlassPermission;

const nothingHidden: ReadonlySet<string> = new Set();

/** Whoever comes without a token while authentication is off (docs/spec#authentication-types). */
export const anonymous: Identity = {
  kind: 'anonymous',
  actor: anonymousActor,
  sessionId: null,
  can: mayAllButBreakGlass,
  canSomewhere: mayAllButBreakGlass,
  hidden: nothingHidden,
};

/** The bearer of an admin API token. */
export function adminTokenIdentity(tokenName: string): Identity {
  return {
    kind: 'admin-token',
    actor: { userId: adminTokenUserId, name: tokenName },
    sessionId: null,
    can: mayAllButBreakGlass,
    canSomewhere: mayAllButBreakGlass,
    hidden: nothingHidden,
  };
}
