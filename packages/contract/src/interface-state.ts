import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, instant } from './scalars.ts';
import { plainText, urlFriendly } from './text.ts';

/** The answer of a user to a feedback prompt of the user interface. */
export const askedSchema = z.object({
  userId: z.number().int(),
  feedbackId: z.string(),
  neverShow: z.boolean(),
  given: dateTime.nullable(),
});

const opinionBody = z.object({
  category: plainText(200).min(1, 'must not be empty'),
  userType: plainText(200).nullable().optional(),
  difficultyScore: z.number().min(-1000).max(1000).nullable().optional(),
  positive: plainText(10_000).nullable().optional(),
  areasForImprovement: plainText(10_000).nullable().optional(),
});

const opinion = z.object({
  id: z.number().int(),
  createdAt: dateTime,
  category: z.string(),
  userType: z.string().nullable(),
  difficultyScore: z.number().nullable(),
  positive: z.string().nullable(),
  areasForImprovement: z.string().nullable(),
});

/** Per-user state of the user interface, feedback and error reports. */
export const interfaceStateRoutes = defineRoutes('User interface', {
  'POST /api/admin/splash/:id': {
    access: 'signed-in',
    summary: 'Mark a splash page as seen by me',
    params: z.object({ id: urlFriendly }),
    anyName: true,
    answers: ok({ userId: z.number().int(), splashId: z.string(), seen: z.literal(true) }),
    emits: [],
  },
  'POST /api/admin/feedback': {
    access: 'signed-in',
    summary: 'Record that I was asked for feedback',
    body: z.object({ feedbackId: urlFriendly, neverShow: z.boolean().optional() }),
    answers: { 200: json(askedSchema) },
    emits: [],
  },
  'PUT /api/admin/feedback/:id': {
    access: 'signed-in',
    summary: 'Update the record of a feedback prompt',
    params: z.object({ id: urlFriendly }),
    anyName: true,
    body: z.object({
      userId: z.number().int().optional(),
      neverShow: z.boolean().optional(),
      given: instant.nullable().optional(),
    }),
    answers: { 200: json(askedSchema) },
    emits: [],
  },
  'POST /feedback': {
    access: 'signed-in',
    summary: 'Submit feedback on the product; it stays in this installation',
    body: opinionBody,
    answers: { 200: json(opinion) },
    emits: [],
  },
  'GET /api/admin/feedback': {
    access: { permission: 'ADMIN' },
    summary: 'List the last 1000 feedback entries, newest first',
    answers: { 200: json(z.array(opinion)) },
  },
  'POST /api/admin/record-ui-error': {
    access: 'signed-in',
    summary: 'Write an error of the user interface to the log',
    body: z.object({ errorMessage: z.string().max(100_000), errorStack: z.string().max(100_000).optional() }),
    answers: { 204: empty },
    emits: [],
  },
  'GET /api/admin/telemetry/settings': {
    access: 'signed-in',
    summary: 'Get the telemetry settings: nothing is sent',
    answers: ok({
      versionInfoCollectionEnabled: z.literal(false),
      featureInfoCollectionEnabled: z.literal(false),
    }),
  },
});
