import { z } from 'zod';
import { roleSchema } from './accounts.ts';
import { newPassword, revokeTokens } from './me.ts';
import { defineRoutes, empty, json } from './route.ts';
import { id, idParam } from './scalars.ts';
import { nameParam } from './text.ts';
import { email } from './users.ts';

const guest = { tag: 'Login', access: 'public' } as const;

/** Setting a password by a link that an administrator hands out (docs/spec#password-links). */
export const passwordResetRoutes = defineRoutes({
  'POST /api/admin/user-admin/reset-password': {
    tag: 'Users',
    summary: 'Make a link by which a user sets a new password within 24 hours; the ones made before open nothing',
    access: { permission: 'ADMIN' },
    body: z.object({
      id: z
        .union([id, idParam, email], 'must be the id of a user, or the e-mail address')
        .meta({ description: 'The id of the user, or the e-mail address' }),
    }),
    answers: { 200: json(z.object({ resetPasswordUrl: z.string() })) },
    errors: [404],
    secrets: true,
    emits: [],
  },
  'GET /auth/reset/validate': {
    ...guest,
    summary: 'Whose password a link sets',
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
      'Set a password by a link; it works once. Sessions of the user end, and personal tokens with `revokeTokens`',
    body: z.object({ token: nameParam, password: newPassword, revokeTokens }),
    answers: { 200: empty },
    errors: [401, 403, 429],
    emits: ['user-updated', 'pat-deleted'],
  },
  'POST /auth/reset/validate-password': {
    ...guest,
    summary: 'Whether a password is good enough: 200, or a 400 that says what it lacks',
    body: z.object({ password: newPassword }),
    answers: { 200: empty },
    errors: [],
    emits: [],
  },
});
