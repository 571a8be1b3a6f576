import { z } from 'zod';
import { defineRoutes, empty, ready, text } from './route.ts';
import { sdkRoutes } from './sdk.ts';
import { contextBody } from './sdk-context.ts';

/** What SDKs in browsers and apps get: the flags that are on for somebody, evaluated here (docs/spec#frontend-api). */
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

/** Paths of Unleash's proxy that its frontend interface answers 405 (docs/spec#frontend-api). */
export const notForFrontends: readonly string[] = [
  '/api/frontend/client/features',
  '/api/frontend/health',
  '/api/frontend/internal-backstage/prometheus',
];

const frontend = { tag: 'Frontend SDK', access: 'frontend' } as const;
const ok = text('text/plain; charset=utf-8');
const description =
  'Evaluates the flags of the token’s projects in its environment; those that are on are listed. Without a `sessionId` there is one made by chance, and without a `remoteAddress` it is where the request comes from. Answers 304 while `If-None-Match` names the `ETag` of the answer.';

export const frontendRoutes = defineRoutes({
  'GET /api/frontend': {
    ...frontend,
    summary: 'The flags that are on for the context in the query',
    description: `${description} Properties are \`properties[name]=value\`; a field that SDKs do not know is a property too.`,
    query: z.object({}).catchall(z.union([z.string(), z.array(z.string())])),
    answers: { 200: ready(frontendFeaturesSchema), 304: empty },
    errors: [400],
    emits: [],
  },
  'POST /api/frontend': {
    ...frontend,
    summary: 'The flags that are on for a context',
    description,
    body: z.object({ context: contextBody.nullish() }),
    answers: { 200: ready(frontendFeaturesSchema), 304: empty },
    errors: [],
    emits: [],
  },
  'POST /api/frontend/client/metrics': {
    ...frontend,
    summary: 'How often an SDK in a browser or an app has asked for flags',
    description: 'As `POST /api/client/metrics`.',
    body: sdkRoutes['POST /api/client/metrics'].body,
    answers: { 200: ok },
    errors: [429],
    emits: ['application-created'],
  },
  'POST /api/frontend/client/register': {
    ...frontend,
    summary: 'An SDK in a browser or an app says that it has started',
    description: 'Nothing is kept of it: such SDKs come and go with every page.',
    body: sdkRoutes['POST /api/client/register'].body,
    answers: { 200: ok },
    errors: [429],
    emits: [],
  },
});
