import { z } from 'zod';
import { roleSchema, userSchema } from './accounts.ts';
import { askedSchema } from './interface-state.ts';
import { defineRoutes, empty, json } from './route.ts';
import { anyJson } from './scalars.ts';
import { nameParam } from './text.ts';

/** A password that somebody chooses; what it must be made of is checked where it is set. */
export const newPassword = z.string().max(1000);

/** Whether setting a password deletes the personal tokens of its user as well. Not unless it is said. */
export const revokeTokens = z
  .boolean()
  .optional()
  .meta({ description: 'Whether to delete the personal tokens of the user as well; they stay when it is not given' });

const permissionSchema = z.object({
  permission: z.string(),
  /** `*` for every project. */
  project: z.string().optional(),
  /** `*` for every environment. */
  environment: z.string().optional(),
});

const me = { tag: 'Users', access: 'signed-in' } as const;

/** What callers can learn of themselves (docs/spec#current-user). */
export const meRoutes = defineRoutes({
  'GET /api/admin/user': {
    ...me,
    summary: 'Who I am and what I may do',
    answers: {
      200: json(
        z.object({
          user: userSchema.partial({ createdAt: true, accountType: true }),
          permissions: z.array(permissionSchema),
          feedback: z.array(askedSchema),
          splash: z.record(z.string(), z.boolean()),
        }),
      ),
    },
    errors: [],
    emits: [],
  },
  'GET /api/admin/user/profile': {
    ...me,
    summary: 'My root role and what I belong to',
    answers: {
      200: json(
        z.object({
          rootRole: roleSchema,
          projects: z.array(z.string()),
          subscriptions: z.array(z.string()),
          features: z.array(anyJson),
          groups: z.array(z.string()),
          canChangePassword: z.boolean(),
        }),
      ),
    },
    errors: [],
    emits: [],
  },
  'GET /api/admin/user/roles': {
    ...me,
    summary: 'Roles I have: for the whole instance or, with `projectId`, in that project',
    query: z.object({ projectId: nameParam.optional() }),
    answers: { 200: json(z.object({ version: z.literal(1), roles: z.array(roleSchema) })) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/user/change-password': {
    ...me,
    summary: 'Change my password; my other sessions end, and my personal tokens with `revokeTokens`',
    body: z.object({
      password: newPassword,
      confirmPassword: z.string(),
      oldPassword: z.string().max(1000),
      revokeTokens,
    }),
    answers: { 200: empty },
    errors: [403, 429],
    emits: ['user-updated', 'pat-deleted'],
  },
});
