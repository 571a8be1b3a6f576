import { isoTime } from '../../kernel/clock.ts';
import { type Account, presentAccount, presentRole, type Role } from '../access/index.ts';

/** A link with which people make themselves accounts. */
export interface InviteLink {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly expiresAt: number;
  readonly createdBy: string;
  readonly createdAt: number;
}

export interface InviteLinkView extends InviteLink {
  /** Who came by it. */
  readonly users: readonly Account[];
}

/** A link as the event log keeps it: without its secret. */
export function inviteLinkEventData({ id, name, enabled, expiresAt }: InviteLink): Record<string, unknown> {
  return { id, name, enabled, expiresAt: isoTime(expiresAt) };
}

/** `role` is what its guests become. */
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

/** The address that a person opens who is invited. */
export function inviteUrl(secret: string, publicUrl: string): string {
  return `${publicUrl}/new-user?invite=${encodeURIComponent(secret)}`;
}
