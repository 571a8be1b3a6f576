import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type StaticFiles, serveAssets } from './static-files.ts';
import { pathOf } from './url-path.ts';

/** The UI adds inline styles while rendering (Mantine its theme); scripts are loaded from this server only. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Paths without pages. Unknown paths below them answer a JSON error, because their callers are programs. */
const notPages = /^\/(api|auth|edge|invite|docs|internal-backstage|health|ready|metrics|logout)(\/|$)/;

/** Answers requests of browsers with the page of the admin UI. */
export interface Pages {
  /** Answers a request of a page. Returns false, without answering, for any other request. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean;
}

/**
 * Serves the built admin UI. Any path outside the API returns its single page, which routes in the browser; a path with
 * a file extension answers 404 (docs/spec#http-rules). Returns undefined when the UI has not been built.
 */
export async function serveUserInterface(
  app: FastifyInstance,
  { files, basePath }: { readonly files: StaticFiles; readonly basePath: string },
): Promise<Pages | undefined> {
  if (!files.paths.has('index.html')) return undefined;
  serveAssets(app, files, basePath);
  // The page loads its scripts and styles relative to the address in its `base` element.
  const page = Buffer.from(await files.read('index.html')).toString();
  const html = page.replace('<base href="/"', `<base href="${basePath}/"`);
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  const icon = Buffer.from(await files.read('favicon.svg'));
  return {
    answer(request, reply) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      const path = pathOf(request.url).slice(basePath.length);
      if (!request.url.startsWith(basePath) || notPages.test(path)) return false;
      if (path === '/favicon.svg') {
        reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(icon);
        return true;
      }
      // These pages are also served without an Accept header: a logout redirects any client to /signed-out.
      if (path !== '/' && path !== '/signed-out' && request.headers.accept?.includes('text/html') !== true)
        return false;
      // Names of projects and flags may contain dots, which are not file extensions.
      const extension = extname(path);
      const missing = extension !== '' && extension !== '.html' && !path.startsWith('/projects/');
      reply
        .headers({
          'cache-control': 'no-cache',
          'content-security-policy': contentSecurityPolicy,
          etag,
          vary: 'Accept',
        })
        .type('text/html; charset=utf-8');
      if (request.headers['if-none-match'] === etag && !missing) reply.code(304).send();
      else reply.code(missing ? 404 : 200).send(html);
      return true;
    },
  };
}
