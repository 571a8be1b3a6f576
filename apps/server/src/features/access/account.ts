import type { Actor } from '../../kernel/actor.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';

/** Somebody who can be named in an event: a person, or a service account that a program acts as. */
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

/** The account as the event log names it (docs/spec#event-fields). */
export function actorOf(account: Account): Actor {
  return { userId: account.id, name: account.email ?? account.username ?? `user ${account.id}` };
}

/** The account as the event log keeps it (docs/spec#event-types). */
export function accountEventData(account: Account): Record<string, unknown> {
  const { id, name, username, email, rootRole } = account;
  return { id, name, username, email, rootRole };
}

/** Fields that clients of Unleash expect of an account, and that mean nothing here. */
export const foreignAccountFields = {
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
    ...foreignAccountFields,
  };
}
