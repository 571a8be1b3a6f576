import { breakGlassPermission } from '@yardarm/contract';
import { adminTokenUserId, anonymousActor } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import type { AccessRights } from './access-rights.ts';
import { type Account, actorOf } from './account.ts';

/** The session or the personal token that identified an account. */
export type Credential =
  | { readonly sessionId: number; readonly tokenId: null; readonly expiresAt: number }
  | { readonly sessionId: null; readonly tokenId: number; readonly expiresAt: number };

/** Returns the identity of a caller with an account. */
export function accountIdentity(account: Account, credential: Credential, rights: AccessRights): Identity {
  return {
    kind: account.kind,
    actor: actorOf(account),
    ...credential,
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
  tokenId: null,
  can: allowsAllButBreakGlass,
  canSomewhere: allowsAllButBreakGlass,
  hidden: nothingHidden,
};

/** Returns the identity of a caller with an admin API token. */
export function adminTokenIdentity({
  id,
  name,
  expiresAt,
}: {
  readonly id: number;
  readonly name: string;
  readonly expiresAt: number | null;
}): Identity {
  return {
    kind: 'admin-token',
    actor: { userId: adminTokenUserId, name },
    sessionId: null,
    tokenId: id,
    expiresAt,
    can: allowsAllButBreakGlass,
    canSomewhere: allowsAllButBreakGlass,
    hidden: nothingHidden,
  };
}
