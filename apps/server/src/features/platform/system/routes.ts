import { type EventType, eventTypes, type RouteTable, type systemRoutes } from '@yardarm/contract';
import { EncodedDocument } from '#http/encoded-document.ts';
import type { Handlers } from '#http/handler.ts';
import { Problem } from '#kernel/errors.ts';
import { asyncApiDocument, asyncApiMessages, eventTypeSchema } from './asyncapi.ts';
import { openApiDocument, openApiPaths } from './openapi.ts';
import { openApiPage, openApiPagePolicy } from './openapi-page.ts';

export interface HealthOptions {
  /** Rejects while the process cannot serve: the database does not answer, or a replica has no flags. */
  readonly ready: () => Promise<void>;
  /** Whether the process is shutting down. */
  readonly stopping: () => boolean;
  readonly metrics: () => Promise<string>;
}

type HealthRoute = 'GET /health' | 'GET /ready' | 'GET /metrics';

/** Returns the handlers that every process has. */
export function healthHandlers(options: HealthOptions): Pick<Handlers<typeof systemRoutes>, HealthRoute> {
  return {
    'GET /health': () => ({ body: { health: 'GOOD' } }),
    'GET /ready': async () => {
      if (options.stopping()) throw new Problem('ServiceUnavailableError', 'This process is shutting down.');
      await options.ready();
      return { body: { health: 'GOOD' } };
    },
    'GET /metrics': async () => ({ body: await options.metrics() }),
  };
}

export interface SystemRoutesOptions extends HealthOptions {
  readonly routes: RouteTable;
  readonly version: string;
  readonly basePath: string;
  readonly publicUrl: () => string;
}

export function systemHandlers(options: SystemRoutesOptions): Handlers<typeof systemRoutes> {
  const openApi = new EncodedDocument(async () =>
    JSON.stringify(openApiDocument(await openApiPaths(options.routes), options.version, options.publicUrl())),
  );
  const openApiHtml = new EncodedDocument(() => openApiPage(options.routes, options.version));
  const asyncApi = new EncodedDocument(() =>
    JSON.stringify(asyncApiDocument(asyncApiMessages(), options.version, options.publicUrl())),
  );
  const ofEventTypes = new Map(
    eventTypes.map((type): [EventType, EncodedDocument] => [
      type,
      new EncodedDocument(() => JSON.stringify(eventTypeSchema(type, options.publicUrl()))),
    ]),
  );
  return {
    ...healthHandlers(options),
    'GET /docs/openapi.json': ({ request }) => openApi.answer(request),
    'GET /docs/asyncapi.json': ({ request }) => asyncApi.answer(request),
    'GET /docs/event-types/:type': ({ params: { type }, request }) =>
      (ofEventTypes.get(type) as EncodedDocument).answer(request),
    'GET /docs/openapi': async ({ request }) => {
      const answer = await openApiHtml.answer(request);
      return { ...answer, headers: { ...answer.headers, 'content-security-policy': openApiPagePolicy } };
    },
  };
}
