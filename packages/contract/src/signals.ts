import { z } from 'zod';
import { endpointRules, ownLimits, tokenLimits } from './endpoint-rules.ts';
import { numberFilter } from './filters.ts';
import { defineRoutes, empty, json, ok, stream } from './route.ts';
import { anyJson, dateTime, id, instant, isFrom, isUntil, paging } from './scalars.ts';
import { normalizedSignalSchema, refusalReasons, signalAuthentication, signalSourceName } from './signal-sources.ts';
import { filledText, plainText, searchText } from './text.ts';

/** The names that signal endpoints can have. */
export const endpointNamePattern = /^[a-z0-9_-]{1,100}$/;
const endpointName = z
  .string()
  .regex(endpointNamePattern, 'must have 1 to 100 characters, only lower-case letters, digits, - and _');
const tokenName = filledText(255).transform((name) => name.trim());

const tokenEnd = { description: 'The time from which the token is refused' };

const senderOfToken = {
  description: 'The name of the sender, a part of the fingerprints of its alerts; null: the unnamed sender',
};
const signalEndpointTokenSchema = z.object({
  id,
  name: z.string(),
  sender: z.string().nullable().meta(senderOfToken),
  signalEndpointId: id,
  authentication: signalAuthentication,
  header: z.string().nullable().meta({ description: 'The header with the secret, for the authentication `header`' }),
  ...tokenLimits,
  enabledUntil: dateTime.nullable().meta(tokenEnd),
  createdAt: dateTime,
  createdByUserId: z.number().int(),
});

export const signalEndpointSchema = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  source: signalSourceName.meta({ description: 'The kind of sender' }),
  ...ownLimits,
  ...endpointRules,
  enabledUntil: dateTime.nullable().meta({ description: 'The time from which it takes no signals' }),
  silentSince: dateTime.nullable().meta({
    description: 'The time of the last expected signal, or from which one was expected, while the endpoint is silent',
  }),
  limits: z
    .object({
      ratePerSecond: z.number().int(),
      burst: z.number().int(),
      maxBodyBytes: z.number().int(),
      maxElements: z.number().int(),
    })
    .meta({ description: 'The limits in force; 0 means unlimited' }),
  createdAt: dateTime,
  createdByUserId: z.number().int(),
  url: z.string(),
  tokens: z.array(signalEndpointTokenSchema),
});

const normalized = normalizedSignalSchema
  .nullable()
  .meta({ description: 'What the source of the endpoint recognises in the payload' });

export const signalSchema = z.object({
  id: z.number().int(),
  source: z.literal('signal-endpoint'),
  sourceId: id,
  createdAt: dateTime,
  createdBySourceTokenId: id.nullable(),
  normalized,
  payload: anyJson,
});

/** The digest of a payload that retention has deleted. It is kept because events name the signal. */
export const payloadDigestSchema = z.object({
  sha256: z.string().meta({ description: 'SHA-256 of the JSON text that was sent, in hexadecimal' }),
  bytes: z.number().int(),
  deletedAt: dateTime,
});

const signalBase = { id: z.number().int(), source: z.literal('signal-endpoint'), sourceId: id, createdAt: dateTime };
/** `tokenName` is null for a deleted token, and for signals without a token: of tests and of silence. */
const silence = z.boolean().meta({ description: 'Made by Yardarm: the endpoint fell silent, or its silence ended' });
const sender = { tokenName: z.string().nullable(), test: z.boolean(), silence };
const acceptedSchema = z.object({
  response_type: z.literal('ephemeral').optional().meta({ description: 'For Slack: only the person sees the text' }),
  text: z.string().optional().meta({ description: 'What a sender that answers a person, such as Slack, shows' }),
  signals: z.array(signalSchema),
  duplicate: z.boolean(),
});
const endpointSignalSchema = z.object({ ...signalBase, ...sender, normalized, payload: anyJson });
const querySignalSchema = z.object({
  ...signalBase,
  ...sender,
  sourceName: z.string().nullable(),
  sourceDescription: z.string().nullable(),
  payload: anyJson.optional().meta({ description: 'Left out for callers without READ_SIGNALS' }),
  normalized: normalized.optional().meta({ description: 'Left out for callers without READ_SIGNALS' }),
});

const endpointBody = z.object({
  name: endpointName,
  description: plainText(4000).nullable().optional(),
  enabled: z.boolean().optional(),
  source: signalSourceName.optional(),
  oneSender: endpointRules.oneSender.optional(),
  ratePerSecond: ownLimits.ratePerSecond.optional(),
  burst: ownLimits.burst.optional(),
  maxBodyBytes: ownLimits.maxBodyBytes.optional(),
  maxElements: ownLimits.maxElements.optional(),
  fields: endpointRules.fields.optional(),
  dropped: endpointRules.dropped.optional(),
  hashed: endpointRules.hashed.optional(),
  retentionDays: endpointRules.retentionDays.optional(),
  enabledUntil: instant.nullable().optional(),
  expectedMinutes: endpointRules.expectedMinutes.optional(),
  expectedFilters: endpointRules.expectedFilters.optional(),
  whenDisabled: endpointRules.whenDisabled.optional(),
});
/** The fields of a token that can be changed. */
const tokenChanges = {
  name: tokenName,
  sender: tokenName.nullable().optional().meta({
    description:
      'The sender, which tokens of one sender share: give that of the token which this one replaces. By default that of the first token, null, for the first token and with `oneSender`, or else the name of the token',
  }),
  ratePerSecond: tokenLimits.ratePerSecond.optional(),
  burst: tokenLimits.burst.optional(),
  maxBodyBytes: tokenLimits.maxBodyBytes.optional(),
  enabledUntil: instant.nullable().optional().meta(tokenEnd),
};
const tokenBody = z.object({
  ...tokenChanges,
  authentication: signalAuthentication.optional().meta({ description: '`bearer` by default' }),
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header: 1 to 100 letters, digits and -')
    .transform((name) => name.toLowerCase())
    .optional()
    .meta({ description: 'Required for `header`, unless the source of the endpoint names one' }),
  secret: z
    .string()
    .regex(/^[\x21-\x7e]{16,500}$/, 'must have 16 to 500 printable ASCII characters without spaces')
    .optional()
    .meta({ description: 'For `signature`: the secret of the sender. Without it the server creates one.' }),
});

const stored =
  'Stores any JSON value and answers when it is durable. A repeated delivery with the same `Idempotency-Key` or `webhook-id` header, or the same delivery id of the source, within 24 hours is stored once.';
const sending = {
  access: 'signal',
  rawBody: {
    optional: true,
    mediaTypes: [
      'application/json',
      '+json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/x-ndjson',
    ],
  },
  answers: { 200: json(acceptedSchema) },
  errors: [400, 413, 415, 422, 429, 503],
  emits: [],
} as const;

const consent = {
  access: 'signal',
  answers: { 200: empty },
  errors: [400, 429],
  emits: [],
} as const;

export const signalRoutes = defineRoutes('Signals', {
  'POST /api/signal-endpoint/:name': {
    ...sending,
    summary: 'Send a signal',
    description: `${stored} The token is in the header that its authentication names, or the body is signed.`,
    params: z.object({ name: z.string() }),
  },
  'PUT /api/signal-endpoint/:name': {
    ...sending,
    summary: 'Send a signal, from senders that use PUT',
    params: z.object({ name: z.string() }),
  },
  'POST /api/signal-endpoint/:name/:secret': {
    ...sending,
    summary: 'Send a signal, with the token in the path',
    description: `${stored} For senders that can set nothing but the URL. Proxies and logs on the way may store the URL, so other authentications are better.`,
    params: z.object({ name: z.string(), secret: z.string() }),
  },
  'OPTIONS /api/signal-endpoint/:name': {
    ...consent,
    summary: 'Ask whether a sender of CloudEvents may send',
    description:
      'The handshake of HTTP Web Hooks for event delivery, with the header `WebHook-Request-Origin`. Needs a token, as a signal does.',
    params: z.object({ name: z.string() }),
  },
  'OPTIONS /api/signal-endpoint/:name/:secret': {
    ...consent,
    summary: 'Ask whether a sender of CloudEvents may send, with the token in the path',
    params: z.object({ name: z.string(), secret: z.string() }),
  },
  'GET /api/admin/signal-endpoints': {
    access: { permission: 'ADMIN' },
    summary: 'List signal endpoints',
    answers: ok({ signalEndpoints: z.array(signalEndpointSchema) }),
  },
  'POST /api/admin/signal-endpoints': {
    access: { permission: 'ADMIN' },
    summary: 'Create a signal endpoint',
    body: endpointBody,
    answers: { 201: json(signalEndpointSchema) },
    errors: [409],
    emits: ['signal-endpoint-created'],
  },
  'PUT /api/admin/signal-endpoints/:id': {
    access: { permission: 'ADMIN' },
    summary: 'Update a signal endpoint',
    body: endpointBody,
    answers: { 200: json(signalEndpointSchema) },
    errors: [409],
    emits: ['signal-endpoint-updated'],
  },
  'DELETE /api/admin/signal-endpoints/:id': {
    access: { permission: 'ADMIN' },
    summary: 'Delete a signal endpoint and its tokens; its signals are kept',
    description: 'Refused while enabled actions run on its signals.',
    answers: { 200: empty },
    errors: [409],
    emits: ['signal-endpoint-deleted'],
  },
  'POST /api/admin/signal-endpoints/:id/on': {
    access: { permission: 'ADMIN' },
    summary: 'Enable a signal endpoint',
    answers: { 200: json(signalEndpointSchema) },
    emits: ['signal-endpoint-updated'],
  },
  'POST /api/admin/signal-endpoints/:id/off': {
    access: { permission: 'ADMIN' },
    summary: 'Disable a signal endpoint',
    answers: { 200: json(signalEndpointSchema) },
    emits: ['signal-endpoint-updated'],
  },
  'GET /api/admin/signal-endpoints/:id/refusals': {
    access: { permission: 'ADMIN' },
    summary: 'List why requests to a signal endpoint were refused, and how often',
    answers: ok({
      refusals: z.array(
        z.object({
          tokenId: id.nullable().meta({ description: 'Null for requests without a token of the endpoint' }),
          reason: z.enum(refusalReasons),
          count: z.number().int(),
          lastAt: dateTime,
        }),
      ),
    }),
  },
  'GET /api/admin/signal-endpoints/:signalEndpointId/tokens': {
    access: { permission: 'ADMIN' },
    summary: 'List the tokens of a signal endpoint',
    answers: ok({ signalEndpointTokens: z.array(signalEndpointTokenSchema) }),
  },
  'POST /api/admin/signal-endpoints/:signalEndpointId/tokens': {
    access: { permission: 'ADMIN' },
    summary: 'Create a signal token; its secret is shown in this answer only',
    body: tokenBody,
    answers: { 201: json(signalEndpointTokenSchema.extend({ token: z.string() })) },
    errors: [409],
    secrets: true,
    emits: ['signal-endpoint-token-created'],
  },
  'PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': {
    access: { permission: 'ADMIN' },
    summary: 'Rename a token, or change its limits',
    body: z.object(tokenChanges),
    answers: { 200: json(signalEndpointTokenSchema) },
    errors: [409],
    emits: ['signal-endpoint-token-updated'],
  },
  'DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': {
    access: { permission: 'ADMIN' },
    summary: 'Delete a signal token; it is invalid at once',
    answers: { 200: empty },
    emits: ['signal-endpoint-token-deleted'],
  },
  'GET /api/admin/signal-endpoints/:signalEndpointId/signals': {
    access: { permission: 'ADMIN' },
    summary: 'List the signals of an endpoint, newest first',
    description:
      '`query` returns signals with all of its words in the payload or the token name. It searches the newest 10,000 signals of the period.',
    query: z.object({
      ...paging(50, 1000),
      query: searchText(100),
      from: isFrom.optional(),
      to: isUntil.optional(),
    }),
    answers: { 200: stream(z.object({ signalEndpointSignals: z.array(endpointSignalSchema) })) },
    errors: [400],
  },
  'POST /api/admin/signal-endpoints/:signalEndpointId/signals': {
    access: { permission: 'ADMIN' },
    summary: 'Send a test signal',
    description:
      'Stores any JSON value like a signal from a sender, without a token. Action sets react to it. The answer is that of the endpoint.',
    body: z.object({ payload: anyJson }),
    exactNumbers: true,
    answers: { 200: json(acceptedSchema) },
    errors: [413],
    emits: ['signal-endpoint-tested'],
  },
  'GET /api/admin/signals': {
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
          deleted: z
            .array(z.object({ ...signalBase, ...payloadDigestSchema.shape }))
            .optional()
            .meta({
              description: 'With `id`: signals of which retention has deleted the payload, and whose digest is left',
            }),
          total: z.number().int(),
          totalRelation: z.enum(['eq', 'gte']),
        }),
      ),
    },
    errors: [400],
  },
});
