import { z } from 'zod';
import { defineRoutes, empty, json, ready } from './route.ts';
import { contextRecord } from './sdk-context.ts';

const metadata = z.record(z.string(), z.union([z.boolean(), z.string(), z.number()]));

/** A flag as OpenFeature reads it. Without `value` the caller’s own default holds. */
const evaluationSchema = z.object({
  key: z.string(),
  reason: z.enum(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DEFAULT', 'DISABLED']),
  value: z.unknown().optional(),
  variant: z.string().optional(),
  metadata,
});

/** One of several flags that could not be evaluated. */
const failureSchema = z.object({ key: z.string(), errorCode: z.string(), errorDetails: z.string() });

/** Where changes are told of: at a URL, or at a path of this server. */
const eventStreamSchema = z.object({
  type: z.literal('sse'),
  url: z.string().optional(),
  endpoint: z.object({ requestUri: z.string() }).optional(),
});

export const bulkEvaluationSchema = z.object({
  flags: z.array(z.union([evaluationSchema, failureSchema])),
  eventStreams: z.array(eventStreamSchema),
});

/** What a provider was told of by a stream, when that makes it ask. */
const notice = z.object({
  flagConfigEtag: z.string().max(100).optional(),
  flagConfigLastModified: z.string().max(100).optional(),
});

const ofrep = { tag: 'OFREP', access: 'sdk', refusals: 'ofrep' } as const;
const body = z.object({ context: contextRecord.nullish() });

export const ofrepRoutes = defineRoutes({
  'POST /ofrep/v1/evaluate/flags/:key': {
    ...ofrep,
    summary: 'What a flag is for somebody, in the terms of OpenFeature',
    description:
      'OpenFeature Remote Evaluation Protocol. `targetingKey` stands for `userId`. A flag without variants is a truth value; a variant’s payload is its value, as text, number or JSON. Where variants with payloads make a flag’s value and none applies, there is no `value`, and the default in the caller’s code holds. Each is counted as an evaluation by the application that `context.appName` names, or by one named OpenFeature. `metadata.enabled` tells whether the flag is on in any case.',
    params: z.object({ key: z.string() }),
    body,
    answers: { 200: json(evaluationSchema) },
    errors: [404, 429],
    emits: ['application-created'],
  },
  'POST /ofrep/v1/evaluate/flags': {
    ...ofrep,
    summary: 'What all flags are for somebody, in the terms of OpenFeature',
    description:
      'All flags that the token opens, those that are off too. Answers 304 while `If-None-Match` names the `ETag` of the answer. `eventStreams` names a stream that tells when flags may have changed; `flagConfigEtag` is what it told, and the answer is not older than that. What is evaluated here is not counted: nobody knows what of it is used.',
    query: notice,
    body,
    answers: { 200: ready(bulkEvaluationSchema), 304: empty },
    errors: [429],
    emits: [],
  },
});
