import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, id } from './scalars.ts';

const admin = { tag: 'Users', access: { permission: 'ADMIN' } } as const;

const inactiveUser = z.object({
  id,
  name: z.string().nullable(),
  email: z.string().optional(),
  username: z.string().nullable(),
  seenAt: dateTime.nullable(),
  createdAt: dateTime,
  /** When one of their personal tokens was last used. */
  patSeenAt: dateTime.nullable(),
});

/** Users that nobody has seen for long: USER_INACTIVITY_THRESHOLD_IN_DAYS. */
export const inactiveUserRoutes = defineRoutes({
  'GET /api/admin/user-admin/inactive': {
    ...admin,
    summary: 'List users who have not been here for long, nor any of their tokens',
    answers: { 200: json(z.object({ version: z.literal(1), inactiveUsers: z.array(inactiveUser) })) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/user-admin/inactive/delete': {
    ...admin,
    summary: 'Delete users of that list; all of them or, when one is not in it, none',
    body: z.object({ ids: z.array(id).max(10_000) }),
    answers: { 200: empty },
    errors: [],
    emits: ['user-deleted'],
  },
});
