import { z } from 'zod';
import { defineRoutes, ok } from './route.ts';
import { dateTime, idParam } from './scalars.ts';

const loginEvent = z.object({
  id: z.number().int().min(1),
  /** The user name that was entered. */
  username: z.string(),
  auth_type: z.enum(['simple', 'oidc']),
  created_at: dateTime,
  successful: z.boolean(),
  /** The client's IPv4 address, or its IPv6 network. */
  ip: z.string().nullable(),
  /** Null for a successful login. */
  failure_reason: z.string().nullable(),
});

/** The login history, with failed logins. */
export const loginHistoryRoutes = defineRoutes('Authentication', {
  'GET /api/admin/logins': {
    summary: 'List logins, including failed logins, newest first',
    description:
      'Returns at most `limit` logins (default 1000, maximum 10000), older than the login with the id `before`.',
    access: { permission: ['ADMIN', 'READ_LOGS'] },
    query: z.object({
      limit: z
        .string()
        .regex(/^[1-9]\d{0,4}$/, 'must be a number from 1 to 10000')
        .transform(Number)
        .refine((value) => value <= 10_000, 'must be a number from 1 to 10000')
        .optional(),
      before: idParam.optional(),
    }),
    answers: ok({ events: z.array(loginEvent) }),
  },
  'GET /api/admin/user/logins': {
    tag: 'Users',
    summary: 'List my last 20 logins, including failed logins with my user name or e-mail address, newest first',
    access: 'signed-in',
    answers: ok({ events: z.array(loginEvent) }),
    errors: [403],
  },
});
