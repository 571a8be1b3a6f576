import type { FastifyInstance } from 'fastify';
import { pathOf } from './url-path.ts';

export interface CorsOptions {
  readonly basePath: string;
  /** Returns the allowed origins; `*` or an empty list allows all (docs/spec#frontend-cors). Called per request. */
  readonly origins: () => readonly string[];
  /** How long browsers may cache the answer to a preflight request. */
  readonly maxAgeSeconds: number;
}

/** Paths below the base path that pages of other origins may use. */
const shared = ['/api/frontend', '/ofrep'];
/** A quick test that rules out most requests. */
const maybeShared = /frontend|ofrep/;

/**
 * Adds CORS to the routes for SDKs in browsers (docs/spec#frontend-cors): the headers on every answer, including
 * errors, and the answers to preflight requests. Other paths have no CORS headers.
 */
export function allowOtherOrigins(app: FastifyInstance, { basePath, origins, maxAgeSeconds }: CorsOptions): void {
  const paths = shared.map((path) => basePath + path);
  app.addHook('onRequest', (request, reply, done) => {
    if (!maybeShared.test(request.url)) {
      done();
      return;
    }
    const path = pathOf(request.url).replace(/\/{2,}/g, '/');
    if (!paths.some((allowedPath) => path === allowedPath || path.startsWith(`${allowedPath}/`))) {
      done();
      return;
    }
    reply.header('vary', 'Origin');
    const allowed = allowedOrigin(request.headers.origin, origins());
    if (allowed !== undefined) {
      reply.header('access-control-allow-origin', allowed);
      reply.header('access-control-allow-credentials', 'true');
      reply.header('access-control-expose-headers', 'ETag, Retry-After');
    }
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) {
      done();
      return;
    }
    if (allowed !== undefined) {
      reply.header('access-control-allow-methods', 'GET, HEAD, POST');
      reply.header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*');
      reply.header('access-control-max-age', String(maxAgeSeconds));
    }
    reply.code(204).send();
  });
}

/** Returns the value of Access-Control-Allow-Origin; undefined when the origin is not allowed. */
function allowedOrigin(origin: string | undefined, origins: readonly string[]): string | undefined {
  if (origins.length === 0 || origins.includes('*')) return '*';
  return origin !== undefined && origins.includes(origin) ? origin : undefined;
}
