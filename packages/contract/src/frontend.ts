import { z } from 'zod';
import { defineRoutes, empty, ready, text } from './route.ts';
import { sdkRoutes } from './sdk.ts';
import { contextBody } from './sdk-context.ts';

/**
 * The answer to frontend SDKs: the flags that are on for a context, evaluated by the server (docs/spec#frontend-api).
 */
export const frontendFeaturesSchema = z.object({
  toggles: z.array(
    z.object({
      name: z.string(),
      enabled: z.literal(true),
      variant: z.object({
        name: z.string(),
        enabled: z.boolean(),
        payload: z.object({ type: z.string(), value: z.string() }).optional(),
        feature_enabled: z.boolean(),
        featureEnabled: z.boolean(),
      }),
      impressionData: z.boolean(),
    }),
  ),
});

/** Paths of Unleash's proxy that the frontend API answers with 405 (docs/spec#frontend-api). */
export const notForFrontends: readonly string[] = [
  '/api/frontend/client/features',
  '/api/frontend/health',
  '/api/frontend/internal-backstage/prometheus',
];
const okText = text('text/plain; charset=utf-8');
const description =
  'Evaluates the flags of the token’s projects in its environment and lists those that are on. A missing `sessionId` is replaced by a random one, a missing `remoteAddress` by the address of the request. Answers 304 while `If-None-Match` matches the `ETag` of the answer.';

export const frontendRoutes = defineRoutes('Frontend SDK', {
  'GET /api/frontend': {
    access: 'frontend',
    summary: 'List the flags that are on for the context in the query',
    description: `${description} Properties are \`properties[name]=value\`; unknown fields are properties too.`,
    query: z.object({}).catchall(z.union([z.string(), z.array(z.string())])),
    answers: { 200: ready(frontendFeaturesSchema), 304: empty },
    errors: [400],
  },
  'POST /api/frontend': {
    access: 'frontend',
    summary: 'List the flags that are on for the context in the body',
    description,
    body: z.object({ context: contextBody.nullish() }),
    exactNumbers: true,
    answers: { 200: ready(frontendFeaturesSchema), 304: empty },
    emits: [],
  },
  'POST /api/frontend/client/metrics': {
    access: 'frontend',
    usageReport: true,
    summary: 'Report usage counts of a frontend SDK',
    description: 'Same as `POST /api/client/metrics`, without impact metrics: anybody has the token of a web page.',
    body: sdkRoutes['POST /api/client/metrics'].body.omit({ impactMetrics: true }),
    answers: { 200: okText },
    errors: [429],
    emits: ['application-created'],
  },
  'POST /api/frontend/client/register': {
    access: 'frontend',
    usageReport: true,
    summary: 'Register a frontend SDK',
    description: 'Accepted and ignored, because frontend SDKs start with every page.',
    body: sdkRoutes['POST /api/client/register'].body,
    answers: { 200: okText },
    errors: [429],
    emits: [],
  },
});
