import { z } from 'zod';
import { defineRoutes, empty, json, ready } from './route.ts';
import { contextRecord } from './sdk-context.ts';

const metadata = z.record(z.string(), z.union([z.boolean(), z.string(), z.number()]));

/** An evaluated flag in OpenFeature's format. Without `value`, the default in the caller's code applies. */
const evaluationSchema = z.object({
  key: z.string(),
  reason: z.enum(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED']),
  value: z.unknown().optional(),
  variant: z.string(),
  metadata,
});

/** A flag of a bulk evaluation that could not be evaluated. */
const failureSchema = z.object({ key: z.string(), errorCode: z.string(), errorDetails: z.string() });

/** The address of the event stream: a URL, or a path on this server. */
const eventStreamSchema = z.object({
  type: z.literal('sse'),
  url: z.string().optional(),
  endpoint: z.object({ requestUri: z.string() }).optional(),
});

export const bulkEvaluationSchema = z.object({
  flags: z.array(z.union([evaluationSchema, failureSchema])),
  eventStreams: z.array(eventStreamSchema),
});

/** The query parameters that a client adds when a message of the event stream made it evaluate again. */
const refetchQuery = z.object({
  flagConfigEtag: z.string().max(100).optional(),
  flagConfigLastModified: z.string().max(100).optional(),
});

const ofrep = { access: 'sdk', refusals: 'ofrep' } as const;
const body = z.object({ context: contextRecord.nullish() });

export const ofrepRoutes = defineRoutes('OFREP', {
  'POST /ofrep/v1/evaluate/flags/:key': {
    ...ofrep,
    summary: 'Evaluate a flag for a context (OFREP)',
    description:
      'OpenFeature Remote Evaluation Protocol. `targetingKey` becomes `userId`. The value of a flag is the payload of its variant, as text, number or JSON; without payloads it is whether the flag is on. When variants of the flag have payloads and none applies, `value` is missing and the default in the caller’s code applies. `variant` is always sent: `enabled` or `disabled` when no variant applies. The reason is `SPLIT` for a variant, `DISABLED` for a flag that is off in the environment, `STATIC` for one without strategies and otherwise `TARGETING_MATCH`, also when no strategy matches. `metadata.enabled` always says whether the flag is on. The evaluation is counted for the application `context.appName`, or for OpenFeature when the context has none.',
    params: z.object({ key: z.string() }),
    body,
    exactNumbers: true,
    answers: { 200: json(evaluationSchema) },
    errors: [429],
    emits: ['application-created'],
  },
  'POST /ofrep/v1/evaluate/flags': {
    ...ofrep,
    summary: 'Evaluate all flags for a context (OFREP)',
    description:
      'Evaluates all flags in the scope of the token, including those that are off. Answers 304 while `If-None-Match` matches the `ETag` of the answer. `eventStreams` has the address of a stream that announces changes; pass the ETag of its message as `flagConfigEtag` to get an answer that is not older. Bulk evaluations are not counted as usage, because they do not show which flags are used.',
    query: refetchQuery,
    body,
    exactNumbers: true,
    answers: { 200: ready(bulkEvaluationSchema), 304: empty },
    errors: [429],
    emits: [],
  },
});
