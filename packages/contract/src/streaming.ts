import { defineRoutes, empty, events } from './route.ts';
import { clientDeltaSchema, featuresQuery } from './sdk.ts';

export const streamingRoutes = defineRoutes({
  'GET /api/client/streaming': {
    tag: 'SDK',
    access: 'backend',
    summary: 'What changes of the flags that the token opens, as it changes',
    description:
      'For SDKs: server-sent events. The first message, `unleash-connected`, holds all flags; or, after `Last-Event-ID`, what changed since, if that is still known. Each `unleash-updated` after it holds what changed, as in /api/client/delta. A reader that is slower than changes come gets them together, or all flags anew. Every so often a comment shows that the stream is alive. It ends with its token, and with the server. 429 when there are as many streams as there may be: SDKs then poll.',
    query: featuresQuery,
    answers: { 200: events(clientDeltaSchema) },
    errors: [429],
    emits: [],
  },
  'POST /api/admin/streaming/disconnect-all': {
    tag: 'Operational',
    access: { permission: 'ADMIN' },
    summary: 'End all streams to SDKs, which then connect anew',
    answers: { 200: empty },
    errors: [],
    emits: ['streams-ended'],
  },
});
