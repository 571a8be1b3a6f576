import { z } from 'zod';
import { defineRoutes, events } from './route.ts';

const changes = z.number().int().min(0);

/** Numbers that change when there is something new. */
export const activitySchema = z.object({
  epoch: z.string().meta({ description: 'The epoch of the event log. Load everything again when it differs' }),
  events: changes.meta({ description: 'The id of the newest event' }),
  changeRequests: changes,
  settings: changes,
  signals: changes,
  runs: changes.meta({ description: 'Runs of action sets, and their calls' }),
  deliveries: changes.meta({ description: 'Attempts to send events to integrations' }),
});

export const activityRoutes = defineRoutes('Events', {
  'GET /api/admin/activity': {
    summary: 'Follow what is new, as numbers',
    description:
      'Server-sent events for live pages. Each message has all numbers; the first comes at once, later ones at most four times a second. An event `heartbeat` with its interval in milliseconds comes while there is nothing new. A number that differs from that of the last message means that there is something new of its kind, which the caller then requests. Only `events` has a meaning of its own: compare the other numbers for equality, also after a reconnect. The user interface follows this stream while a page is visible, in place of polling.',
    access: 'signed-in',
    answers: { 200: events(activitySchema) },
    errors: [429],
  },
});
