import type { Actor } from '#kernel/actor.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';

/** A user or a service account. Events name accounts as their authors. */
export interface Account {
  readonly id: number;
  readonly kind: 'user' | 'service-account';
  readonly username: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly rootRole: number;
  readonly loginAttempts: number;
  readonly seenAt: number | null;
  readonly createdAt: number;
}

/** Returns the account in the form in which an event names its author (docs/spec#event-fields). */
export function actorOf(account: Account): Actor {
  return { userId: account.id, name: account.email ?? account.username ?? `user ${account.id}` };
}

/** Returns the account as events store it in `data` and `preData` (docs/spec#event-types). */
export function accountEventData(account: Account): Record<string, unknown> {
  const { id, name, username, email, rootRole } = account;
  return { id, name, username, email, rootRole };
}

/** Account fields that Unleash clients expect and Yardarm does not use: always empty. */
export const unusedAccountFields = {
  imageUrl: '',
  scimId: null,
  seatType: null,
  companyRole: null,
  productUpdatesEmailConsent: null,
} as const;

export function presentAccount(account: Account) {
  return {
    id: account.id,
    isAPI: account.kind === 'service-account',
    ...(account.name === null ? {} : { name: account.name }),
    ...(account.email === null ? {} : { email: account.email }),
    ...(account.username === null ? {} : { username: account.username }),
    loginAttempts: account.loginAttempts,
    rootRole: account.rootRole,
    seenAt: isoTimeOrNull(account.seenAt),
    createdAt: isoTime(account.createdAt),
    accountType: account.kind === 'user' ? ('User' as const) : ('Service Account' as const),
    ...unusedAccountFields,
  };
}
