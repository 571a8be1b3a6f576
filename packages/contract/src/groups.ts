import { z } from 'zod';
import { userSchema } from './accounts.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id, label } from './scalars.ts';
import { plainText } from './text.ts';

/** Groups: users who get roles together (docs/spec#groups). */
export const groupSchema = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  mappingsSSO: z.array(z.string()),
  rootRole: id.nullable(),
  createdBy: z.string(),
  createdAt: dateTime,
  users: z.array(
    z.object({
      joinedAt: dateTime,
      createdBy: z.string(),
      user: userSchema.pick({ id: true, name: true, username: true, email: true, isAPI: true, accountType: true }),
    }),
  ),
  /** The projects in which the group has a role. */
  projects: z.array(z.string()),
  userCount: z.number().int().min(0),
});

const most = 10_000;
const groupBody = z.object({
  name: label(100),
  description: plainText(4000).nullable().optional(),
  mappingsSSO: z.array(label(500)).max(1000).optional(),
  rootRole: id.nullable().optional(),
  users: z
    .array(z.object({ user: z.object({ id }) }))
    .max(most, `must name at most ${most} users`)
    .optional(),
});

export const groupRoutes = defineRoutes('Groups', {
  'GET /api/admin/groups': {
    access: { permission: 'ADMIN' },
    summary: 'List groups with their users',
    answers: ok({ groups: z.array(groupSchema) }),
  },
  'POST /api/admin/groups': {
    access: { permission: 'ADMIN' },
    summary: 'Create a group',
    description: 'With `rootRole`, its users have that root role in addition to their own.',
    body: groupBody,
    answers: { 201: json(groupSchema) },
    errors: [409],
    emits: ['group-created'],
  },
  'GET /api/admin/groups/:groupId': {
    access: { permission: 'ADMIN' },
    summary: 'Get a group with its users',
    answers: { 200: json(groupSchema) },
  },
  'PUT /api/admin/groups/:groupId': {
    access: { permission: 'ADMIN' },
    summary: 'Update a group; omitted fields, including `users`, keep their values',
    body: groupBody,
    answers: { 200: json(groupSchema) },
    errors: [409],
    emits: ['group-updated'],
  },
  'DELETE /api/admin/groups/:groupId': {
    access: { permission: 'ADMIN' },
    summary: 'Delete a group and the roles that its users had through it',
    answers: { 200: empty },
    emits: ['group-deleted'],
  },
});
