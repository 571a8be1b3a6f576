import { breakGlassPermission } from '@yardarm/contract';
import { adminTokenUserId, anonymousActor } from '../../kernel/actor.ts';
import type { Identity } from '../../kernel/caller.ts';
import type { AccessRights } from './access-rights.ts';
import { type Account, actorOf } from './account.ts';

/** Returns the identity of an account that calls; `sessionId` is null when it sent a token. */
export function accountIdentity(account: Account, sessionId: number | null, rights: AccessRights): Identity {
  return {
    kind: account.kind,
    actor: actorOf(account),
    sessionId,
    can: (permission, scope) =>
      (account.kind === 'user' || allowsAllButBreakGlass(permission)) && rights.can(permission, scope),
    canSomewhere: (permission) => rights.canSomewhere(permission),
    hidden: rights.hidden,
  };
}

/** Only users may break glass: a person takes responsibility for the change. */
const allowsAllButBreakGlass = (permission: string) => permission !== breakGlassPermission;

const nothingHidden: ReadonlySet<string> = new Set();

/** The caller without a token when authentication is off (docs/spec#authentication-types). */
export const anonymous: Identity = {
  kind: 'anonymous',
  actor: anonymousActor,
  sessionId: null,
  can: allowsAllButBreakGlass,
  canSomewhere: allowsAllButBreakGlass,
  hidden: nothingHidden,
};

/** Returns the identity of a caller with an admin API token. */
export function adminTokenIdentity(tokenName: string): Identity {
  return {
    kind: 'admin-token',
    actor: { userId: adminTokenUserId, name: tokenName },
    sessionId: null,
    can: allowsAllButBreakGlass,
    canSomewhere: allowsAllButBreakGlass,
    hidden: nothingHidden,
  };
}
