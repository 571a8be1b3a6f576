import { z } from 'zod';
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
  'GET /ofrep/v1/event-stream': {
    tag: 'OFREP',
    access: 'stream',
    refusals: 'ofrep',
    summary: 'That flags may have changed, in the terms of OpenFeature',
    description:
      'Server-sent events for providers of OpenFeature, which then evaluate their flags anew. Its URL is in `eventStreams` of the answer to an evaluation of all flags; the token in it opens nothing else and lasts for half an hour to an hour. After `Last-Event-ID` a change that was missed is told of at once.',
    query: z.object({ token: z.string().max(300) }),
    answers: { 200: events(z.object({ type: z.literal('refetchEvaluation'), etag: z.string() })) },
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
