import { z } from 'zod';
import { roleSchema, userSchema } from './accounts.ts';
import { askedSchema } from './interface-state.ts';
import { defineRoutes, empty, ok } from './route.ts';
import { anyJson } from './scalars.ts';
import { nameParam } from './text.ts';

/** A new password. Its strength is checked by the command that sets it. */
export const newPassword = z.string().max(1000);

/** The option to keep the personal tokens of the user when the password is reset. */
export const revokeTokensUnlessKept = z
  .boolean()
  .optional()
  .meta({ description: 'Whether to delete the personal tokens of the user too; default true' });

/** The option to delete the personal tokens of the user together with a password change. */
const revokeTokens = z
  .boolean()
  .optional()
  .meta({ description: 'Whether to delete the personal tokens of the user too; default false' });

const permissionSchema = z.object({
  permission: z.string(),
  /** `*` for every project. */
  project: z.string().optional(),
  /** `*` for every environment. */
  environment: z.string().optional(),
});

/** The caller's own account, permissions and roles (docs/spec#current-user). */
export const meRoutes = defineRoutes('Users', {
  'GET /api/admin/user': {
    access: 'signed-in',
    summary: 'Get my account and permissions',
    answers: ok({
      user: userSchema.partial({ createdAt: true, accountType: true }),
      permissions: z.array(permissionSchema),
      feedback: z.array(askedSchema),
      splash: z.record(z.string(), z.boolean()),
    }),
  },
  'GET /api/admin/user/profile': {
    access: 'signed-in',
    summary: 'Get my profile: root role, projects and groups',
    answers: ok({
      rootRole: roleSchema,
      projects: z.array(z.string()),
      subscriptions: z.array(z.string()),
      features: z.array(anyJson),
      groups: z.array(z.string()),
      canChangePassword: z.boolean(),
    }),
  },
  'GET /api/admin/user/roles': {
    access: 'signed-in',
    summary: 'List my roles: root roles, or the roles in the project `projectId`',
    query: z.object({ projectId: nameParam.optional() }),
    answers: ok({ version: z.literal(1), roles: z.array(roleSchema) }),
    errors: [404],
  },
  'POST /api/admin/user/change-password': {
    access: 'signed-in',
    summary: 'Change my password; ends my other sessions, and `revokeTokens` deletes my personal tokens',
    body: z.object({
      password: newPassword,
      confirmPassword: z.string(),
      oldPassword: z.string().max(1000),
      revokeTokens,
    }),
    answers: { 200: empty },
    errors: [403, 429],
    emits: ['user-updated', 'pat-deleted', 'session-ended'],
  },
});
