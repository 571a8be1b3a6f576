import { z } from 'zod';
import { numberFilter } from './filters.ts';
import { defineRoutes, empty, json, stream } from './route.ts';
import { anyJson, dateTime, id, idParam, isFrom, isUntil, paging } from './scalars.ts';
import { filledText, plainText } from './text.ts';

const endpointName = z
  .string()
  .regex(/^[a-z0-9_-]{1,100}$/, 'may contain lower-case letters, digits, - and _, at most 100 characters');
const tokenName = filledText(255).transform((name) => name.trim());

const signalEndpointTokenSchema = z.object({
  id,
  name: z.string(),
  signalEndpointId: id,
  createdAt: dateTime,
  createdByUserId: z.number().int(),
});

export const signalEndpointSchema = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  createdAt: dateTime,
  createdByUserId: z.number().int(),
  url: z.string(),
  tokens: z.array(signalEndpointTokenSchema),
});

export const signalSchema = z.object({
  id: z.number().int(),
  source: z.literal('signal-endpoint'),
  sourceId: id,
  createdAt: dateTime,
  createdBySourceTokenId: id.nullable(),
  payload: anyJson,
});

const signalBase = { id: z.number().int(), source: z.literal('signal-endpoint'), sourceId: id, createdAt: dateTime };
/** `tokenName` is null for a deleted token, and for a test signal, which has no token. */
const sender = { tokenName: z.string().nullable(), test: z.boolean() };
const endpointSignalSchema = z.object({ ...signalBase, ...sender, payload: anyJson });
const querySignalSchema = z.object({
  ...signalBase,
  ...sender,
  sourceName: z.string().nullable(),
  sourceDescription: z.string().nullable(),
  payload: anyJson.optional().meta({ description: 'Left out for callers without READ_SIGNALS' }),
});

const endpointBody = z.object({
  name: endpointName,
  description: plainText(4000).nullable().optional(),
  enabled: z.boolean().optional(),
});
const byId = z.object({ id: idParam });
const byEndpoint = z.object({ signalEndpointId: idParam });
const byToken = z.object({ signalEndpointId: idParam, id: idParam });
const admin = { tag: 'Signals', access: { permission: 'ADMIN' } } as const;

export const signalRoutes = defineRoutes({
  'POST /api/signal-endpoint/:name': {
    tag: 'Signals',
    summary: 'Send a signal',
    description:
      'Stores any JSON value and answers when it is durable. A repeated delivery with the same `Idempotency-Key` or `webhook-id` header within 24 hours is stored once.',
    access: 'signal',
    params: z.object({ name: z.string() }),
    rawBody: { optional: true, mediaTypes: ['application/json', '+json', 'text/plain'] },
    answers: { 200: json(z.object({ signals: z.array(signalSchema), duplicate: z.boolean() })) },
    errors: [400, 404, 413, 415, 429, 503],
    emits: [],
  },
  'GET /api/admin/signal-endpoints': {
    ...admin,
    summary: 'List signal endpoints',
    answers: { 200: json(z.object({ signalEndpoints: z.array(signalEndpointSchema) })) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/signal-endpoints': {
    ...admin,
    summary: 'Create a signal endpoint',
    body: endpointBody,
    answers: { 201: json(signalEndpointSchema) },
    errors: [409],
    emits: ['signal-endpoint-created'],
  },
  'PUT /api/admin/signal-endpoints/:id': {
    ...admin,
    summary: 'Update a signal endpoint',
    params: byId,
    body: endpointBody,
    answers: { 200: json(signalEndpointSchema) },
    errors: [404, 409],
    emits: ['signal-endpoint-updated'],
  },
  'DELETE /api/admin/signal-endpoints/:id': {
    ...admin,
    summary: 'Delete a signal endpoint and its tokens; its signals are kept',
    params: byId,
    answers: { 200: empty },
    errors: [404],
    emits: ['signal-endpoint-deleted'],
  },
  'POST /api/admin/signal-endpoints/:id/on': {
    ...admin,
    summary: 'Enable a signal endpoint',
    params: byId,
    answers: { 200: json(signalEndpointSchema) },
    errors: [404],
    emits: ['signal-endpoint-updated'],
  },
  'POST /api/admin/signal-endpoints/:id/off': {
    ...admin,
    summary: 'Disable a signal endpoint',
    params: byId,
    answers: { 200: json(signalEndpointSchema) },
    errors: [404],
    emits: ['signal-endpoint-updated'],
  },
  'GET /api/admin/signal-endpoints/:signalEndpointId/tokens': {
    ...admin,
    summary: 'List the tokens of a signal endpoint',
    params: byEndpoint,
    answers: { 200: json(z.object({ signalEndpointTokens: z.array(signalEndpointTokenSchema) })) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/signal-endpoints/:signalEndpointId/tokens': {
    ...admin,
    summary: 'Create a signal token; its secret is shown in this answer only',
    params: byEndpoint,
    body: z.object({ name: tokenName }),
    answers: { 201: json(signalEndpointTokenSchema.extend({ token: z.string() })) },
    errors: [404, 409],
    secrets: true,
    emits: ['signal-endpoint-token-created'],
  },
  'PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': {
    ...admin,
    summary: 'Rename a token',
    params: byToken,
    body: z.object({ name: tokenName }),
    answers: { 200: json(signalEndpointTokenSchema) },
    errors: [404, 409],
    emits: ['signal-endpoint-token-updated'],
  },
  'DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': {
    ...admin,
    summary: 'Delete a signal token; it is invalid at once',
    params: byToken,
    answers: { 200: empty },
    errors: [404],
    emits: ['signal-endpoint-token-deleted'],
  },
  'GET /api/admin/signal-endpoints/:signalEndpointId/signals': {
    ...admin,
    summary: 'List the signals of an endpoint, newest first',
    params: byEndpoint,
    description:
      '`query` returns signals with all of its words in the payload or the token name. It searches the newest 10,000 signals of the period.',
    query: z.object({
      ...paging(50, 1000),
      query: plainText(100).optional(),
      from: isFrom.optional(),
      to: isUntil.optional(),
    }),
    answers: { 200: stream(z.object({ signalEndpointSignals: z.array(endpointSignalSchema) })) },
    errors: [400, 404],
    emits: [],
  },
  'POST /api/admin/signal-endpoints/:signalEndpointId/signals': {
    ...admin,
    summary: 'Send a test signal',
    description:
      'Stores any JSON value like a signal from a sender, without a token. Action sets react to it. The answer is that of the endpoint.',
    params: byEndpoint,
    body: z.object({ payload: anyJson }),
    answers: { 200: json(z.object({ signals: z.array(signalSchema), duplicate: z.boolean() })) },
    errors: [404, 413],
    emits: ['signal-endpoint-tested'],
  },
  'GET /api/admin/signals': {
    tag: 'Signals',
    summary: 'List all signals, newest first',
    description: '`total` is exact up to 10,000 signals; above that, `totalRelation` is `gte`.',
    access: 'signed-in',
    parts: [{ permission: 'READ_SIGNALS', where: 'for the payloads' }],
    query: z.object({
      ...paging(50, 1000),
      id: numberFilter('IS', 'IS_ANY_OF')
        .transform(({ values }) => values.map(Number))
        .optional(),
      from: isFrom.optional(),
      to: isUntil.optional(),
    }),
    answers: {
      200: stream(
        z.object({
          signals: z.array(querySignalSchema),
          total: z.number().int(),
          totalRelation: z.enum(['eq', 'gte']),
        }),
      ),
    },
    errors: [400],
    emits: [],
  },
});
