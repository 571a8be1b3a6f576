import { z } from 'zod';
import { roleSchema, rootRoleReference, userSchema } from './accounts.ts';
import { newPassword, revokeTokensUnlessKept as revokeTokens } from './me.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { label, line } from './scalars.ts';

const count = z.number().int().min(0);
const personSchema = userSchema.extend({ activeSessions: count });
export const email = z.email('must be an e-mail address').max(255).toLowerCase();
const admin = { permission: 'ADMIN' } as const;

/** Administration of users (docs/spec#users). */
export const userRoutes = defineRoutes('Users', {
  'GET /api/admin/user-admin': {
    access: admin,
    summary: 'List all users and all root roles',
    answers: ok({ users: z.array(personSchema), rootRoles: z.array(roleSchema) }),
  },
  'POST /api/admin/user-admin': {
    access: admin,
    summary: 'Create a user',
    description:
      'Requires a user name or an e-mail address. Without a password, the answer has a link by which the user sets one within 24 hours. With a mail server (EMAIL_HOST), the user gets an e-mail unless `sendEmail` is false; `emailSent` says whether one was queued. Rate-limited by client address.',
    body: z
      .object({
        username: label(255).optional(),
        email: email.optional(),
        name: label(255).optional(),
        password: newPassword.optional(),
        rootRole: rootRoleReference,
        sendEmail: z.boolean().optional(),
      })
      .refine(({ username, email: address }) => username !== undefined || address !== undefined, {
        path: ['username'],
        error: 'or email must be given',
      }),
    answers: { 201: json(personSchema.extend({ emailSent: z.boolean(), inviteLink: z.string().optional() })) },
    errors: [429],
    secrets: true,
    emits: ['user-created'],
  },
  'GET /api/admin/user-admin/admin-count': {
    access: admin,
    summary: 'Count the administrators: users with a password, users without, service accounts',
    answers: ok({ password: count, noPassword: count, service: count }),
  },
  'POST /api/admin/user-admin/validate-password': {
    access: 'signed-in',
    summary: 'Check the strength of a password: 200, or 400 with the unmet requirements',
    body: z.object({ password: newPassword }),
    answers: { 200: empty },
    emits: [],
  },
  'GET /api/admin/user-admin/search': {
    access: 'signed-in',
    summary: 'Search users by a text of at least 2 characters in their name, user name or e-mail address; at most 100',
    query: z.object({ q: line.max(255).optional() }),
    answers: {
      200: json(z.array(userSchema.pick({ id: true, name: true, username: true, email: true }))),
    },
  },
  'GET /api/admin/user-admin/:id': {
    access: admin,
    summary: 'Get a user',
    answers: { 200: json(personSchema) },
  },
  'PUT /api/admin/user-admin/:id': {
    access: admin,
    summary: 'Update the name, e-mail address or root role of a user; the last administrator cannot be demoted',
    body: z.object({
      name: label(255).optional(),
      email: email.optional(),
      rootRole: rootRoleReference.optional(),
    }),
    answers: { 200: json(personSchema) },
    emits: ['user-updated'],
  },
  'DELETE /api/admin/user-admin/:id': {
    access: admin,
    summary: 'Delete a user with their sessions and tokens; callers cannot delete themselves or the last administrator',
    answers: { 200: empty },
    emits: ['user-deleted'],
  },
  'POST /api/admin/user-admin/:id/change-password': {
    access: admin,
    summary:
      'Set the password of a user; ends their sessions and deletes their personal tokens, unless `revokeTokens` is false',
    body: z.object({ password: newPassword, revokeTokens }),
    answers: { 200: empty },
    emits: ['user-updated', 'pat-deleted', 'session-ended'],
  },
});
