import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, id, idParam } from './scalars.ts';

const own = { tag: 'Users', access: 'signed-in' } as const;

/** A login that has not ended. */
const sessionSchema = z.object({
  id,
  createdAt: dateTime,
  expiresAt: dateTime,
  /** Whether this very request bears it. */
  current: z.boolean(),
});

/** Sessions of the caller, who must be a person. Unleash has no such routes. */
export const sessionRoutes = defineRoutes({
  'GET /api/admin/user/sessions': {
    ...own,
    summary: 'List my sessions, newest first',
    answers: { 200: json(z.object({ sessions: z.array(sessionSchema) })) },
    errors: [403],
    emits: [],
  },
  'DELETE /api/admin/user/sessions/:id': {
    ...own,
    summary: 'End one of my sessions; whoever bears it has to log in again',
    params: z.object({ id: idParam }),
    answers: { 200: empty },
    errors: [403, 404],
    emits: [],
  },
});
