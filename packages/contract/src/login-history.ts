import { z } from 'zod';
import { defineRoutes, json } from './route.ts';
import { dateTime, idParam } from './scalars.ts';

const loginEvent = z.object({
  id: z.number().int().min(1),
  /** What was given for the user name. */
  username: z.string(),
  auth_type: z.enum(['simple', 'oidc']),
  created_at: dateTime,
  successful: z.boolean(),
  /** The client's IPv4 address, or its IPv6 network. */
  ip: z.string().nullable(),
  /** Null for a login that succeeded. */
  failure_reason: z.string().nullable(),
});

/** Who logged in, and who tried to. */
export const loginHistoryRoutes = defineRoutes({
  'GET /api/admin/logins': {
    tag: 'Authentication',
    summary: 'Logins, those that failed too, the newest first',
    description: 'At most `limit` of them (1000, up to 10000), those before the one whose id is `before`.',
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
    answers: { 200: json(z.object({ events: z.array(loginEvent) })) },
    errors: [],
    emits: [],
  },
  'GET /api/admin/user/logins': {
    tag: 'Users',
    summary: 'My last 20 logins, those that failed with my user name or e-mail address too, the newest first',
    access: 'signed-in',
    answers: { 200: json(z.object({ events: z.array(loginEvent) })) },
    errors: [403],
    emits: [],
  },
});
