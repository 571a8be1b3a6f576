import { z } from 'zod';
import { apiTokenSchema } from './api-tokens.ts';
import { defineRoutes, empty, ok } from './route.ts';
import { dateTime, id } from './scalars.ts';

const kinds = ['api', 'personal', 'service-account'] as const;

/** A token of any kind, without its secret. Ids are unique among API tokens, and among the tokens of accounts. */
const tokenSchema = z.object({
  kind: z.enum(kinds).meta({
    description: 'An API token, a personal token of a user, or the token of a service account',
  }),
  id,
  name: z.string().meta({ description: 'The name of an API token, or the description of another token' }),
  scope: apiTokenSchema
    .pick({ type: true, environment: true, projects: true })
    .nullable()
    .meta({ description: 'Null for the tokens of accounts, which have the rights of their owner' }),
  owner: z
    .object({ id, name: z.string() })
    .nullable()
    .meta({ description: 'The account as which the token acts; null for API tokens' }),
  createdBy: z.string().nullable().meta({ description: 'Null for tokens from before the creator was stored' }),
  createdAt: dateTime,
  expiresAt: dateTime.nullable(),
  seenAt: dateTime.nullable(),
});

/** The tokens of all accounts and SDKs, for administrators (docs/spec#all-tokens). */
export const allTokenRoutes = defineRoutes('API tokens', {
  'GET /api/admin/tokens': {
    access: { permission: 'ADMIN' },
    summary:
      'List all API tokens and personal tokens, the newest first, with owner, creator, last use and end, without secrets',
    description:
      'API tokens are deleted with DELETE /api/admin/api-tokens/:token, the others with DELETE /api/admin/personal-tokens/:id.',
    answers: ok({ tokens: z.array(tokenSchema) }),
  },
  'DELETE /api/admin/personal-tokens/:id': {
    access: { permission: 'ADMIN' },
    summary: 'Delete a personal token of any user or service account; it is invalid at once',
    answers: { 200: empty },
    emits: ['pat-deleted', 'service-account-token-deleted'],
  },
});
