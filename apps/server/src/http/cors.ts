import type { FastifyInstance } from 'fastify';

export interface CorsOptions {
  readonly basePath: string;
  /** Origins that may read answers; `*` for any. None means any (docs/spec#frontend-cors). Asked for each request. */
  readonly origins: () => readonly string[];
  /** How long browsers may remember that they may ask. */
  readonly maxAgeSeconds: number;
}

/** Paths, below the base path, that pages of other origins may use. */
const shared = ['/api/frontend', '/ofrep'];
/** Most requests are told by a word that they are for none of them. */
const maybeShared = /frontend|ofrep/;

/**
 * Lets pages of other origins use what is made for SDKs in browsers: says so on every answer, also a refusal, and answers
 * what browsers ask beforehand (CORS; docs/spec#frontend-cors). No other path has such headers.
 */
export function allowOtherOrigins(app: FastifyInstance, { basePath, origins, maxAgeSeconds }: CorsOptions): void {
  const paths = shared.map((path) => basePath + path);
  app.addHook('onRequest', (request, reply, done) => {
    if (!maybeShared.test(request.url)) {
      done();
      return;
    }
    const path = (request.url.split('?', 1)[0] as string).replace(/\/{2,}/g, '/');
    if (!paths.some((one) => path === one || path.startsWith(`${one}/`))) {
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
    const asksBefore = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (!asksBefore) {
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

/** What to answer a page of `origin`; undefined when it may not read the answer. */
function allowedOrigin(origin: string | undefined, origins: readonly string[]): string | undefined {
  if (origins.length === 0 || origins.includes('*')) return '*';
  return origin !== undefined && origins.includes(origin) ? origin : undefined;
}
