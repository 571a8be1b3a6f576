import { z } from 'zod';
import { defineRoutes, json, ok } from './route.ts';
import { dateTime, id, idParam } from './scalars.ts';
import { urlFriendly } from './text.ts';

const signingKeysSchema = z.object({
  keys: z.array(
    z.object({
      publicKey: z.string().meta({ description: '`whpk_…`: a receiver verifies signatures with it' }),
      createdAt: dateTime,
      until: dateTime
        .nullable()
        .meta({ description: 'Until when a replaced key signs besides; null: the current key' }),
    }),
  ),
});

const redeliveredSchema = z.object({
  redelivered: z.number().int(),
  more: z.boolean().meta({ description: 'Whether there may be more: repeat the request later' }),
});

const ofSet = z.object({ projectId: urlFriendly, actionSetId: idParam });

/** Deliveries of action calls (docs/adr/0057-sign-action-calls-with-one-public-key.md). */
export const actionCallRoutes = defineRoutes('Actions', {
  'GET /api/admin/action-calls/signing-keys': {
    summary: 'List the public keys that verify the calls of actions, the current one first',
    access: 'signed-in',
    answers: { 200: json(signingKeysSchema) },
  },
  'POST /api/admin/action-calls/signing-keys/rotate': {
    access: { permission: 'ADMIN' },
    summary: 'Create a new key that signs the calls of actions; the previous key signs besides for 24 hours',
    answers: { 200: json(signingKeysSchema) },
    emits: ['setting-updated'],
  },
  'GET /api/admin/action-runs/:runId/attempts': {
    access: 'signed-in',
    summary: 'List the last 100 attempts to send the calls of a run, newest first',
    description: 'Answers 404 for a run in a project where the caller lacks READ_ACTIONS.',
    answers: ok({
      attempts: z.array(
        z.object({
          actionId: id,
          attemptedAt: dateTime,
          durationMs: z.number().int(),
          request: z.string().meta({ description: 'Method and host; the path may be secret' }),
          status: z.number().int().nullable(),
          error: z.string().nullable(),
        }),
      ),
    }),
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/redeliver': {
    access: { permission: 'ADMIN' },
    summary: 'Send the failed calls of a run again, with the same webhook-id',
    description: 'The requests of failed calls are kept for 30 days. Answers 409 when there is none to send.',
    params: ofSet.extend({ runId: idParam }),
    answers: { 200: json(redeliveredSchema) },
    errors: [409],
    emits: ['action-calls-redelivered'],
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/redeliver': {
    access: { permission: 'ADMIN' },
    summary: 'Send all failed calls of an action set again, oldest first; 1000 at most',
    params: ofSet,
    answers: { 200: json(redeliveredSchema) },
    emits: ['action-calls-redelivered'],
  },
});
