import { z } from 'zod';
import { defineRoutes, empty, events } from './route.ts';
import { clientDeltaSchema, featuresQuery } from './sdk.ts';

export const streamingRoutes = defineRoutes('SDK', {
  'GET /api/client/streaming': {
    access: 'backend',
    summary: 'Stream the changes of the flags in the token’s scope',
    description:
      'Server-sent events for SDKs. The first message, `unleash-connected`, has all flags; with `Last-Event-ID` it has the changes since, if they are still known. Each following message, `unleash-updated`, has changes as in /api/client/delta. A slow reader gets several changes in one message, or all flags again. Comments are sent as heartbeats. The stream ends when its token is deleted or expires, and when the server stops. Answers 429 when the limit of open streams is reached; SDKs then poll.',
    query: featuresQuery,
    answers: { 200: events(clientDeltaSchema) },
    errors: [429],
  },
  'GET /ofrep/v1/event-stream': {
    tag: 'OFREP',
    access: 'stream',
    refusals: 'ofrep',
    summary: 'Stream notifications that flags may have changed (OFREP)',
    description:
      'Server-sent events for OpenFeature providers, which then evaluate their flags again. The URL is in `eventStreams` of the answer to a bulk evaluation. Its token is valid for this route only, for 30 to 60 minutes. With `Last-Event-ID`, a missed change is announced at once.',
    query: z.object({ token: z.string().max(300) }),
    answers: { 200: events(z.object({ type: z.literal('refetchEvaluation'), etag: z.string() })) },
    errors: [429],
  },
  'POST /api/admin/streaming/disconnect-all': {
    tag: 'Operational',
    access: { permission: 'ADMIN' },
    summary: 'End all streams to SDKs; the SDKs reconnect',
    answers: { 200: empty },
    emits: ['streams-ended'],
  },
});
