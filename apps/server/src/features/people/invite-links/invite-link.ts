import { type Account, presentAccount, presentRole, type Role } from '#features/people/access/index.ts';
import { isoTime } from '#kernel/clock.ts';

/** A link with which people sign up. */
export interface InviteLink {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly expiresAt: number;
  readonly createdBy: string;
  /** The account that created the link; null when it is not known. */
  readonly createdByUserId: number | null;
  readonly createdAt: number;
}

export interface InviteLinkView extends InviteLink {
  /** The users who signed up with the link. */
  readonly users: readonly Account[];
}

/** Returns a link as events store it, without its secret. */
export function inviteLinkEventData({ id, name, enabled, expiresAt }: InviteLink): Record<string, unknown> {
  return { id, name, enabled, expiresAt: isoTime(expiresAt) };
}

/** Returns a link as the API shows it. `role` is the root role of users who sign up. */
export function presentInviteLink(link: InviteLinkView, role: Role) {
  return {
    id: link.id,
    name: link.name,
    enabled: link.enabled,
    expiresAt: isoTime(link.expiresAt),
    createdAt: isoTime(link.createdAt),
    createdBy: link.createdBy,
    users: link.users.map(presentAccount),
    role: presentRole(role),
  };
}

/** Returns the address of the sign-up page. */
export function inviteUrl(secret: string, publicUrl: string): string {
  return `${publicUrl}/new-user?invite=${encodeURIComponent(secret)}`;
}
