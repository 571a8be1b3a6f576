import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, id, idParam } from './scalars.ts';

const own = { tag: 'Users', access: 'signed-in' } as const;
const admin = { tag: 'Users', access: { permission: 'ADMIN' } } as const;
const byId = z.object({ id: idParam });

/** A login that has not ended. */
const sessionSchema = z.object({
  id,
  /** What it was begun with, such as "Firefox on Linux"; null when that was not told. */
  device: z.string().nullable(),
  /** Where it was begun from: an IPv4 address, or the network of an IPv6 one. */
  address: z.string().nullable(),
  createdAt: dateTime,
  /** When it was last used. Noted some seconds later. */
  seenAt: dateTime,
  /** When it ends unless it is used before. */
  expiresAt: dateTime,
  /** Whether this very request bears it. */
  current: z.boolean(),
});

const sessions = json(z.object({ sessions: z.array(sessionSchema) }));

/** Sessions of people: of the caller, who must be one, and of whomever for an administrator. Unleash has no such routes. */
export const sessionRoutes = defineRoutes({
  'GET /api/admin/user/sessions': {
    ...own,
    summary: 'List my sessions, newest first',
    answers: { 200: sessions },
    errors: [403],
    emits: [],
  },
  'DELETE /api/admin/user/sessions': {
    ...own,
    summary: 'End all my sessions but the one that asks',
    answers: { 200: empty },
    errors: [403],
    emits: [],
  },
  'DELETE /api/admin/user/sessions/:id': {
    ...own,
    summary: 'End one of my sessions; whoever bears it has to log in again',
    params: byId,
    answers: { 200: empty },
    errors: [403, 404],
    emits: [],
  },
  'GET /api/admin/user-admin/:id/sessions': {
    ...admin,
    summary: 'List the sessions of a user, newest first',
    params: byId,
    answers: { 200: sessions },
    errors: [404],
    emits: [],
  },
  'DELETE /api/admin/user-admin/:id/sessions': {
    ...admin,
    summary: 'End all sessions of a user, but the one that asks where it is among them',
    params: byId,
    answers: { 200: empty },
    errors: [404],
    emits: [],
  },
  'DELETE /api/admin/user-admin/:id/sessions/:sessionId': {
    ...admin,
    summary: 'End one session of a user, who has to log in again',
    params: z.object({ id: idParam, sessionId: idParam }),
    answers: { 200: empty },
    errors: [404],
    emits: [],
  },
});
