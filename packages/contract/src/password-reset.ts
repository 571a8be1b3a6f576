import { z } from 'zod';
import { roleSchema } from './accounts.ts';
import { newPassword, revokeTokens } from './me.ts';
import { defineRoutes, empty, json } from './route.ts';
import { id, idParam } from './scalars.ts';
import { nameParam } from './text.ts';
import { email } from './users.ts';

const guest = { tag: 'Login', access: 'public' } as const;

/** Password reset by a link that an administrator creates (docs/spec#password-links). */
export const passwordResetRoutes = defineRoutes({
  'POST /api/admin/user-admin/reset-password': {
    tag: 'Users',
    summary: 'Create a password reset link, valid for 24 hours; earlier links become invalid',
    access: { permission: 'ADMIN' },
    body: z.object({
      id: z
        .union([id, idParam, email], 'must be the id or the e-mail address of a user')
        .meta({ description: 'The id or the e-mail address of the user' }),
    }),
    answers: { 200: json(z.object({ resetPasswordUrl: z.string() })) },
    errors: [404],
    secrets: true,
    emits: [],
  },
  'GET /auth/reset/validate': {
    ...guest,
    summary: 'Check a password reset link and get its user',
    query: z.object({ token: nameParam }),
    answers: {
      200: json(
        z.object({
          id,
          name: z.string().nullable(),
          email: z.string().nullable(),
          token: z.string(),
          createdBy: z.string(),
          role: roleSchema,
        }),
      ),
    },
    errors: [401, 403, 429],
    secrets: true,
    emits: [],
  },
  'POST /auth/reset/password': {
    ...guest,
    summary:
      'Set a password with a reset link, which works once. Ends the sessions of the user; `revokeTokens` deletes the personal tokens',
    body: z.object({ token: nameParam, password: newPassword, revokeTokens }),
    answers: { 200: empty },
    errors: [401, 403, 429],
    emits: ['user-updated', 'pat-deleted'],
  },
  'POST /auth/reset/validate-password': {
    ...guest,
    summary: 'Check the strength of a password: 200, or 400 with the unmet requirements',
    body: z.object({ password: newPassword }),
    answers: { 200: empty },
    errors: [],
    emits: [],
  },
});
