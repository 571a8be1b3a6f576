import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, id } from './scalars.ts';

const admin = { permission: 'ADMIN' } as const;

/** An active session. */
const sessionSchema = z.object({
  id,
  /** The browser at login, such as "Firefox on Linux"; null when unknown. */
  device: z.string().nullable(),
  /** The address at login: an IPv4 address, or the network of an IPv6 address. */
  address: z.string().nullable(),
  createdAt: dateTime,
  /** The time of the last use, updated with a delay of some seconds. */
  seenAt: dateTime,
  /** The time at which the session expires unless it is used before. */
  expiresAt: dateTime,
  /** Whether this request belongs to the session. */
  current: z.boolean(),
});

const sessions = json(z.object({ sessions: z.array(sessionSchema) }));

/** Sessions of the caller, and of other users for administrators. Unleash has no such routes. */
export const sessionRoutes = defineRoutes('Users', {
  'GET /api/admin/user/sessions': {
    access: 'signed-in',
    summary: 'List my sessions, newest first',
    answers: { 200: sessions },
    errors: [403],
  },
  'DELETE /api/admin/user/sessions': {
    access: 'signed-in',
    summary: 'End all my sessions except the current one',
    answers: { 200: empty },
    errors: [403],
    emits: ['session-ended'],
  },
  'DELETE /api/admin/user/sessions/:id': {
    access: 'signed-in',
    summary: 'End one of my sessions',
    answers: { 200: empty },
    errors: [403],
    emits: ['session-ended'],
  },
  'GET /api/admin/user-admin/:id/sessions': {
    access: admin,
    summary: 'List the sessions of a user, newest first',
    answers: { 200: sessions },
  },
  'DELETE /api/admin/user-admin/:id/sessions': {
    access: admin,
    summary: 'End all sessions of a user, except the caller’s current session',
    answers: { 200: empty },
    emits: ['session-ended'],
  },
  'DELETE /api/admin/user-admin/:id/sessions/:sessionId': {
    access: admin,
    summary: 'End one session of a user',
    answers: { 200: empty },
    emits: ['session-ended'],
  },
});
