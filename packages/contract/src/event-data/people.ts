import { z } from 'zod';
import { apiTokenTypes } from '../api-tokens.ts';
import type { EventType } from '../event-types.ts';
import { dateTime } from '../scalars.ts';
import { after, before, both, type RecordedValues } from './recorded.ts';

const ids = z.array(z.number().int());

const account = z.object({
  id: z.number().int(),
  name: z.string().nullable(),
  username: z.string().nullable(),
  email: z.string().nullable(),
  rootRole: z.number().int().meta({ description: 'The id of the root role' }),
});
const changedUser = account.extend({
  passwordChanged: z.literal(true).optional().meta({ description: 'Present when the password changed' }),
  passwordLinkBy: z.string().optional().meta({
    description: 'The name of the account that created the link with which the password changed, or `unknown`',
  }),
});

const role = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.string(),
  description: z.string(),
  permissions: z.array(
    z.object({
      name: z.string(),
      environment: z.string().optional().meta({ description: 'Absent when granted for all environments' }),
    }),
  ),
});

const group = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  mappingsSSO: z.array(z.string()),
  rootRole: z.number().int().nullable(),
  users: ids.meta({ description: 'The ids of the members' }),
});
const membership = z.object({ groupId: z.number().int(), userId: z.number().int() });

const projectAccess = z.object({
  roles: z.array(z.object({ roleId: z.number().int(), groupIds: ids, userIds: ids })),
});
const rolesOfUser = z.object({ roles: ids, userId: z.number().int() });
const rolesOfGroup = z.object({ roles: ids, groupId: z.number().int() });

const inviteLink = z.object({ id: z.number().int(), name: z.string(), enabled: z.boolean(), expiresAt: dateTime });

const apiToken = z.object({
  id: z.number().int(),
  tokenName: z.string(),
  type: z.enum(apiTokenTypes),
  environment: z.string(),
  project: z.string().meta({ description: 'The projects, joined by commas' }),
  projects: z.array(z.string()),
  createdAt: dateTime,
  expiresAt: dateTime.nullable(),
});
const personalToken = z.object({
  id: z.number().int(),
  description: z.string(),
  userId: z.number().int(),
  createdAt: dateTime,
  expiresAt: dateTime,
});
const serviceAccountToken = personalToken.extend({ ownerId: z.number().int() });

const login = z.object({
  userId: z.number().int(),
  authType: z.enum(['simple', 'oidc']),
  sessionId: z.number().int(),
  device: z.string().nullable(),
  expiresAt: dateTime,
  endedSessionIds: ids.meta({ description: 'Sessions that ended because the user has too many' }),
});
const endedSessions = z.object({ userId: z.number().int(), username: z.string().nullable(), sessionIds: ids });

/** The fields of an event that counts several occurrences, such as failed logins. */
const count = {
  attempts: z.number().int(),
  addresses: z.number().int().meta({ description: 'The number of distinct client addresses' }),
  from: dateTime,
  to: dateTime,
};
const failedLogins = z.object({
  account: z.enum(['known', 'unknown', 'other']).meta({
    description: '`unknown`: user names that no account has. `other`: further accounts of the same minute, together',
  }),
  userId: z.number().int().nullable(),
  username: z.string().nullable(),
  userNames: z.number().int().meta({ description: 'The number of distinct entered user names' }),
  authTypes: z.array(z.string()).optional(),
  ...count,
});
const refusedChanges = z.object({
  account: z.enum(['known', 'other']),
  routes: z.array(z.string()).optional().meta({ description: 'Method and path of the routes, at most 20' }),
  permissions: z.array(z.string()).optional().meta({ description: 'Permissions of which one was needed' }),
  ...count,
});

/** The recorded values of the events of accounts, roles, groups, tokens and logins. */
export const peopleEvents = {
  'project-access-added': after(projectAccess),
  'project-access-updated': both(projectAccess),
  'project-access-user-roles-updated': both(rolesOfUser),
  'project-access-user-roles-deleted': before(rolesOfUser),
  'project-access-group-roles-updated': both(rolesOfGroup),
  'project-access-group-roles-deleted': before(rolesOfGroup),
  'role-created': after(role),
  'role-updated': both(role),
  'role-deleted': before(role),
  'group-created': after(group),
  'group-updated': both(group),
  'group-deleted': before(group),
  'group-user-added': after(membership),
  'group-user-removed': before(membership),
  'user-created': after(account),
  'user-updated': { data: changedUser, preData: account },
  'user-deleted': before(account),
  'user-logged-in': after(login),
  'user-logged-out': after(endedSessions),
  'session-ended': after(
    endedSessions.extend({
      reason: z.enum([
        'ended by the user',
        'ended by an administrator',
        'password changed',
        'account claimed by single sign-on',
      ]),
    }),
  ),
  'login-failed': after(failedLogins),
  'change-refused': after(refusedChanges),
  'public-signup-token-created': after(inviteLink),
  'public-signup-token-updated': both(inviteLink),
  'public-signup-token-user-added': after(
    z.object({ id: z.number().int(), name: z.string(), userId: z.number().int() }),
  ),
  'api-token-created': after(apiToken),
  'api-token-updated': both(apiToken),
  'api-token-deleted': before(apiToken),
  'pat-created': after(personalToken),
  'pat-deleted': after(personalToken),
  'service-account-created': after(account),
  'service-account-updated': both(account),
  'service-account-deleted': before(account),
  'service-account-token-created': after(serviceAccountToken),
  'service-account-token-deleted': after(serviceAccountToken),
} satisfies Partial<Record<EventType, RecordedValues>>;
