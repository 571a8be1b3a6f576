import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime, id, instant } from './scalars.ts';
import { filledText, nameParam, urlFriendly } from './text.ts';

/** The types of API tokens. `client` is the old name of `backend`. */
export const apiTokenTypes = ['client', 'backend', 'frontend', 'replica', 'admin'] as const;

/**
 * An API token. `secret` is only in the answer that creates the token, because only its SHA-256 is stored; `secure`
 * says so. With the setting `YARDARM_READABLE_SECRETS` the secret is also stored, encrypted, and lists show it.
 * `project` is `*`, the single project, or all projects separated by commas.
 */
export const apiTokenSchema = z.object({
  id,
  tokenName: z.string(),
  type: z.enum(apiTokenTypes),
  environment: z.string(),
  project: z.string(),
  projects: z.array(z.string()),
  createdAt: dateTime,
  expiresAt: dateTime.nullable(),
  seenAt: dateTime.nullable(),
  alias: z.null(),
  secure: z.boolean(),
  secret: z.string().optional(),
});
const createdTokenSchema = apiTokenSchema.extend({ secret: z.string() });
const tokensSchema = z.object({ tokens: z.array(apiTokenSchema) });

const projectId = z.union([z.literal('*'), urlFriendly]);
const sdkTypes = ['client', 'backend', 'frontend'] as const;
const typeOf = <T extends string>(types: readonly T[], problem: string) =>
  z.string().toLowerCase().pipe(z.enum(types, problem));
const tokenBody = z.object({
  tokenName: filledText(255).transform((name) => name.trim()),
  type: typeOf(sdkTypes, 'must be backend, frontend or client; tokens of other types cannot be created here'),
  environment: urlFriendly.default('development'),
  expiresAt: instant.nullable().optional(),
});
/** The environment of a token, or `*` for all. Only replicas read several environments. */
const tokenEnvironment = z.union([z.literal('*'), urlFriendly]);
/** The projects of a token: distinct ids, or `*` alone for all. */
export const tokenProjects = z
  .array(projectId)
  .min(1, 'must name a project, or * for all')
  .max(500)
  .transform((names) => [...new Set(names)])
  .refine((names) => names.length === 1 || !names.includes('*'), 'must not name projects besides *');

const byToken = {
  token: nameParam.meta({
    description:
      "The token's secret, as in Unleash, or its `id` from the list. A secret contains a colon and an id only digits, so they cannot be confused. Names are not accepted because they are not unique.",
  }),
};
const expiryNote = 'A deleted or expired token gives no access.';

export const apiTokenRoutes = defineRoutes('API tokens', {
  'GET /api/admin/api-tokens': {
    summary: 'List the API tokens that the caller may read',
    access: { permission: ['ADMIN', 'READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'] },
    answers: { 200: json(tokensSchema) },
    secrets: true,
  },
  'POST /api/admin/api-tokens': {
    summary: 'Create an API token; its secret is shown in this answer only, unless YARDARM_READABLE_SECRETS is on',
    access: { permission: ['ADMIN', 'CREATE_CLIENT_API_TOKEN', 'CREATE_FRONTEND_API_TOKEN'] },
    body: tokenBody
      .extend({
        type: typeOf(
          [...sdkTypes, 'replica'],
          'must be backend, frontend, replica or client; admin tokens cannot be created here',
        ),
        environment: tokenEnvironment.default('development').meta({
          description: 'An environment; for a token of the type `replica` also `*`, for all environments',
        }),
      })
      .refine(({ type, environment }) => type === 'replica' || environment !== '*', {
        path: ['environment'],
        error: 'must be one environment; only tokens of replicas are for all',
      })
      .safeExtend({ projects: tokenProjects.optional(), project: projectId.optional() })
      .transform(({ project, projects: several, ...rest }) => ({ ...rest, projects: several ?? [project ?? '*'] })),
    answers: { 201: json(createdTokenSchema) },
    secrets: true,
    emits: ['api-token-created'],
  },
  'GET /api/admin/api-tokens/:name': {
    summary: 'List the API tokens of a name that the caller may read',
    access: { permission: ['ADMIN', 'READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'] },
    anyName: true,
    answers: { 200: json(tokensSchema) },
    secrets: true,
  },
  'PUT /api/admin/api-tokens/:token': {
    summary: 'Set when an API token expires',
    description: `${expiryNote} An unknown token is not an error: the answer is 200 and nothing changes.`,
    access: { permission: ['ADMIN', 'UPDATE_CLIENT_API_TOKEN', 'UPDATE_FRONTEND_API_TOKEN'] },
    params: z.object(byToken),
    anyName: true,
    body: z.object({ expiresAt: instant.nullable() }),
    answers: { 200: empty },
    emits: ['api-token-updated'],
  },
  'DELETE /api/admin/api-tokens/:token': {
    summary: 'Delete an API token',
    description: `${expiryNote} An unknown token is not an error: the answer is 200 and nothing changes.`,
    access: { permission: ['ADMIN', 'DELETE_CLIENT_API_TOKEN', 'DELETE_FRONTEND_API_TOKEN'] },
    params: z.object(byToken),
    anyName: true,
    answers: { 200: empty },
    emits: ['api-token-deleted'],
  },
  'GET /api/admin/projects/:projectId/api-tokens': {
    tag: 'Projects',
    summary: 'List the API tokens made for a project',
    access: { permission: 'READ_PROJECT_API_TOKEN' },
    answers: { 200: json(tokensSchema) },
    secrets: true,
  },
  'POST /api/admin/projects/:projectId/api-tokens': {
    tag: 'Projects',
    summary:
      'Create an API token for one project; its secret is shown in this answer only, unless YARDARM_READABLE_SECRETS is on',
    access: { permission: 'CREATE_PROJECT_API_TOKEN' },
    body: tokenBody,
    answers: { 201: json(createdTokenSchema) },
    secrets: true,
    emits: ['api-token-created'],
  },
  'DELETE /api/admin/projects/:projectId/api-tokens/:token': {
    tag: 'Projects',
    summary: 'Delete an API token that is limited to this project',
    description: `${expiryNote} Answers 400 for a token with access to other projects: delete it with DELETE /api/admin/api-tokens/:token.`,
    access: { permission: 'DELETE_PROJECT_API_TOKEN' },
    params: z.object({ projectId: nameParam, ...byToken }),
    answers: { 200: empty },
    errors: [400],
    emits: ['api-token-deleted'],
  },
});
