import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id, idParam, instant } from './scalars.ts';

/** How the requests of an integration are signed (Standard Webhooks). */
export const signingAlgorithms = ['hmac-sha256', 'ed25519'] as const;

const healthSchema = z.object({
  integrationId: id,
  waiting: z.number().int().meta({ description: 'Events that wait to be sent' }),
  dead: z.number().int().meta({ description: 'Dead letters: events that were given up' }),
  failingSince: dateTime.nullable(),
  consecutiveFailures: z.number().int(),
  consecutiveDeadLetters: z.number().int().meta({ description: 'Dead letters since the last delivered event' }),
  pausedAt: dateTime.nullable().meta({ description: 'While paused, only the oldest event is tried' }),
  lastError: z.string().nullable(),
  signing: z
    .object({
      algorithm: z.enum(signingAlgorithms),
      createdAt: dateTime,
      publicKey: z.string().nullable().meta({ description: '`whpk_…` of an Ed25519 key' }),
      previousUntil: dateTime.nullable().meta({ description: 'Until when the previous key signs besides' }),
    })
    .nullable()
    .meta({ description: 'null: the integration is from before signing; rotate its key to sign' }),
});

const deliverySchema = z.object({
  id,
  messageId: z.string().meta({ description: 'The header webhook-id of all attempts' }),
  state: z.enum(['waiting', 'delivered', 'dead']),
  attempts: z.number().int(),
  status: z.number().int().nullable(),
  details: z.string().nullable().meta({ description: 'The result of the last attempt' }),
  createdAt: dateTime,
  nextAttemptAt: dateTime.nullable(),
  settledAt: dateTime.nullable(),
  event: z
    .object({
      id: z.number().int(),
      type: z.string(),
      project: z.string().nullable(),
      featureName: z.string().nullable(),
      environment: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'null: the event was deleted' }),
});

const attemptSchema = z.object({
  attemptedAt: dateTime,
  durationMs: z.number().int(),
  request: z.string().meta({ description: 'Method and host; the path may be secret' }),
  status: z.number().int().nullable(),
  answer: z.string().nullable().meta({ description: 'Start of the answer, without control characters and secrets' }),
  error: z.string().nullable(),
});
const ofHidden = 'Refused for an integration that receives events of projects that the caller cannot see.';
const redeliveredSchema = z.object({
  redelivered: z.number().int(),
  more: z.boolean().meta({ description: 'Whether there may be more: repeat the request later' }),
  nextEventId: z.number().int().nullable().meta({
    description:
      'When there may be more events since an event or a time: the `sinceEventId` of the next request, because the same request would redeliver the same events again. null otherwise',
  }),
});

/** Deliveries of integrations: log, redelivery, test, pause and signing key (docs/spec#integrations). */
export const integrationDeliveryRoutes = defineRoutes('Integrations', {
  'GET /api/admin/integrations/health': {
    summary: 'List the health of integrations',
    access: 'signed-in',
    answers: ok({ integrations: z.array(healthSchema) }),
  },
  'GET /api/admin/integrations/:id/deliveries': {
    summary: 'List the deliveries of an integration in the last 30 days, newest first',
    access: { permission: 'ADMIN' },
    query: z.object({
      state: z.enum(['waiting', 'delivered', 'dead']).optional(),
      before: idParam.optional().meta({ description: '`nextCursor` of an earlier answer' }),
      limit: idParam.refine((limit) => limit <= 200, 'must be at most 200').optional(),
    }),
    answers: ok({ deliveries: z.array(deliverySchema), nextCursor: z.string().nullable() }),
  },
  'GET /api/admin/integrations/:id/deliveries/:deliveryId': {
    summary: 'Get a delivery with its last 100 attempts',
    access: { permission: 'ADMIN' },
    answers: { 200: json(deliverySchema.extend({ log: z.array(attemptSchema) })) },
  },
  'POST /api/admin/integrations/:id/deliveries/:deliveryId/redeliver': {
    summary: 'Redeliver an event with the same webhook-id',
    description: ofHidden,
    access: { permission: 'UPDATE_ADDON' },
    answers: { 200: json(redeliveredSchema) },
    errors: [409],
    emits: ['integration-redelivered'],
  },
  'POST /api/admin/integrations/:id/redeliver': {
    summary: 'Redeliver all dead letters, or all events since an event or a time; 1000 at most',
    description: ofHidden,
    access: { permission: 'UPDATE_ADDON' },
    body: z.union([
      z.strictObject({ state: z.literal('dead') }),
      z.strictObject({ sinceEventId: z.number().int().min(1) }),
      z.strictObject({ since: instant }),
    ]),
    answers: { 200: json(redeliveredSchema) },
    errors: [409],
    emits: ['integration-redelivered'],
  },
  'POST /api/admin/integrations/:id/test': {
    summary: 'Send the event of this test at once, and answer the result',
    description: ofHidden,
    access: { permission: 'UPDATE_ADDON' },
    answers: ok({
      delivered: z.boolean(),
      status: z.number().int().nullable(),
      details: z.string(),
      answer: z.string().nullable(),
      durationMs: z.number().int(),
    }),
    errors: [409],
    emits: ['integration-tested'],
  },
  'POST /api/admin/integrations/:id/resume': {
    summary: 'Resume a paused integration, and send what waits now',
    description: ofHidden,
    access: { permission: 'UPDATE_ADDON' },
    answers: { 200: empty },
    errors: [409],
    emits: ['integration-resumed'],
  },
  'POST /api/admin/integrations/:id/rotate-key': {
    summary: 'Create a new signing key; the previous key signs besides for 24 hours',
    description: ofHidden,
    access: { permission: 'UPDATE_ADDON' },
    body: z.object({ signing: z.enum(signingAlgorithms).default('hmac-sha256') }),
    answers: ok({
      signingSecret: z.string().meta({ description: '`whsec_…`, shown only here, or the public key `whpk_…`' }),
    }),
    errors: [409],
    secrets: true,
    emits: ['integration-key-rotated'],
  },
});
