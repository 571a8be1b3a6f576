import type { RouteTable, systemRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { Problem } from '../../kernel/errors.ts';
import { asyncApiDocument, asyncApiMessages, eventTypeSchema } from './asyncapi.ts';
import { openApiDocument, openApiPaths } from './openapi.ts';
import { openApiPage } from './openapi-page.ts';

export interface SystemRoutesOptions {
  readonly routes: RouteTable;
  readonly version: string;
  readonly basePath: string;
  readonly publicUrl: () => string;
  /** Resolves when the database answers. */
  readonly ping: () => Promise<void>;
  /** Whether the process is shutting down. */
  readonly stopping: () => boolean;
  readonly metrics: () => Promise<string>;
}

export function systemHandlers(options: SystemRoutesOptions): Handlers<typeof systemRoutes> {
  const metrics = async () => ({ status: 200 as const, body: await options.metrics() });
  let paths: ReturnType<typeof openApiPaths> | undefined;
  let messages: ReturnType<typeof asyncApiMessages> | undefined;
  return {
    'GET /health': () => ({ status: 200, body: { health: 'GOOD' } }),
    'GET /ready': async () => {
      if (options.stopping()) throw new Problem('ServiceUnavailableError', 'This process is shutting down.');
      await options.ping();
      return { status: 200, body: { health: 'GOOD' } };
    },
    'GET /metrics': metrics,
    'GET /internal-backstage/prometheus': metrics,
    'GET /docs/openapi.json': async () => {
      paths ??= openApiPaths(options.routes);
      return { status: 200, body: openApiDocument(await paths, options.version, options.publicUrl()) };
    },
    'GET /docs/asyncapi.json': () => {
      messages ??= asyncApiMessages();
      return { status: 200, body: asyncApiDocument(messages, options.version, options.publicUrl()) };
    },
    'GET /docs/event-types/:type': ({ params: { type } }) => ({
      status: 200,
      body: eventTypeSchema(type, options.publicUrl()),
    }),
    'GET /docs/openapi': () => ({ status: 200, body: openApiPage(options.routes, options.version) }),
  };
}
