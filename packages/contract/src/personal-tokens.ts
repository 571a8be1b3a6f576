import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id, instant, label } from './scalars.ts';

/** A personal token, which acts as its owner. `secret` is only in the answer that creates the token. */
export const patSchema = z.object({
  id,
  description: z.string(),
  userId: id,
  createdAt: dateTime,
  expiresAt: dateTime,
  seenAt: dateTime.nullable(),
});
export const createdPatSchema = patSchema.extend({ secret: z.string() });
export const createPatBody = z.object({
  description: label(255),
  expiresAt: instant,
});

/** Personal access tokens of the caller, who must be a person (docs/spec#personal-tokens). */
export const personalTokenRoutes = defineRoutes('Personal access tokens', {
  'GET /api/admin/user/tokens': {
    access: 'signed-in',
    summary: 'List my personal access tokens',
    answers: ok({ pats: z.array(patSchema) }),
    errors: [403],
  },
  'POST /api/admin/user/tokens': {
    access: 'signed-in',
    summary: 'Create a personal access token, at most 10; its secret is shown in this answer only',
    description:
      'Answers 400 when the token would live longer than `personalTokenDays` of GET /api/admin/ui-config, a year by default.',
    body: createPatBody,
    answers: { 201: json(createdPatSchema) },
    errors: [403, 409],
    secrets: true,
    emits: ['pat-created'],
  },
  'DELETE /api/admin/user/tokens/:id': {
    access: 'signed-in',
    summary: 'Delete one of my personal access tokens; it is invalid at once',
    answers: { 200: empty },
    errors: [403],
    emits: ['pat-deleted'],
  },
});
