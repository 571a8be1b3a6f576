import { z } from 'zod';
import { defineRoutes, empty, ok } from './route.ts';
import { dateTime, id } from './scalars.ts';

const admin = { permission: 'ADMIN' } as const;

const inactiveUser = z.object({
  id,
  name: z.string().nullable(),
  email: z.string().optional(),
  username: z.string().nullable(),
  seenAt: dateTime.nullable(),
  createdAt: dateTime,
  /** The last use of one of the user's personal tokens. */
  patSeenAt: dateTime.nullable(),
});

/** Users without activity for USER_INACTIVITY_THRESHOLD_IN_DAYS. */
export const inactiveUserRoutes = defineRoutes('Users', {
  'GET /api/admin/user-admin/inactive': {
    access: admin,
    summary: 'List inactive users: neither they nor their tokens were used for a long time',
    answers: ok({ version: z.literal(1), inactiveUsers: z.array(inactiveUser) }),
  },
  'POST /api/admin/user-admin/inactive/delete': {
    access: admin,
    summary: 'Delete inactive users; deletes none when one of them is not inactive',
    body: z.object({ ids: z.array(id).max(10_000) }),
    answers: { 200: empty },
    emits: ['user-deleted'],
  },
});
