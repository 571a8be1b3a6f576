import { z } from 'zod';
import { roleSchema } from './accounts.ts';
import { newPassword, revokeTokensUnlessKept as revokeTokens } from './me.ts';
import { defineRoutes, empty, ok } from './route.ts';
import { id, idParam } from './scalars.ts';
import { nameParam } from './text.ts';
import { email } from './users.ts';

/** Password reset by a link that an administrator creates (docs/spec#password-links). */
export const passwordResetRoutes = defineRoutes('Login', {
  'POST /api/admin/user-admin/reset-password': {
    tag: 'Users',
    summary: 'Create a password reset link, valid for 24 hours; earlier links become invalid',
    description:
      'With a mail server (EMAIL_HOST), the user gets the link by e-mail unless `sendEmail` is false; `emailSent` says whether one was queued.',
    access: { permission: 'ADMIN' },
    body: z.object({
      id: z
        .union([id, idParam, email], 'must be the id or the e-mail address of a user')
        .meta({ description: 'The id or the e-mail address of the user' }),
      sendEmail: z.boolean().optional(),
    }),
    answers: ok({ resetPasswordUrl: z.string(), emailSent: z.boolean() }),
    errors: [404],
    secrets: true,
    emits: [],
  },
  'POST /auth/reset/password-email': {
    access: 'public',
    summary: 'Send a password reset link by e-mail, once a minute; the answer does not reveal whether the user exists',
    description: 'Answers 422 when no mail server is configured (EMAIL_HOST).',
    body: z.object({ email }),
    answers: { 200: empty },
    errors: [422, 429],
    emits: [],
  },
  'GET /auth/reset/validate': {
    access: 'public',
    summary: 'Check a password reset link and get its user',
    query: z.object({ token: nameParam }),
    answers: ok({
      id,
      name: z.string().nullable(),
      email: z.string().nullable(),
      token: z.string(),
      createdBy: z.string(),
      role: roleSchema,
    }),
    errors: [401, 403, 429],
    secrets: true,
  },
  'POST /auth/reset/password': {
    access: 'public',
    summary:
      'Set a password with a reset link, which works once. Ends the sessions of the user and deletes the personal tokens, unless `revokeTokens` is false',
    body: z.object({ token: nameParam, password: newPassword, revokeTokens }),
    answers: { 200: empty },
    errors: [401, 403, 429],
    emits: ['user-updated', 'pat-deleted', 'session-ended'],
  },
  'POST /auth/reset/validate-password': {
    access: 'public',
    summary: 'Check the strength of a password: 200, or 400 with the unmet requirements',
    body: z.object({ password: newPassword }),
    answers: { 200: empty },
    emits: [],
  },
});
