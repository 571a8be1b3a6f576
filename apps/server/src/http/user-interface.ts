import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Styles are put into the page as it is drawn; scripts come from here alone. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Below these there are no pages: whoever asks there is a program, and gets an error it can read. */
const notPages = /^\/(api|auth|edge|invite|docs|internal-backstage|health|ready|metrics|logout)(\/|$)/;

/** Answers with the page of the user interface where a browser asks for one. */
export interface Pages {
  /** Whether it did; what is not for the user interface is left alone. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean;
}

/**
 * Serves the user interface from the directory that its build wrote. Any path that is not of the API is a page of it, which
 * the page itself finds out; one with a file extension is a file that there is not (docs/spec#http-rules). Where it has
 * not been built nothing is served, and so `undefined` answered.
 */
export async function serveUserInterface(
  app: FastifyInstance,
  { directory, basePath }: { readonly directory: string; readonly basePath: string },
): Promise<Pages | undefined> {
  const index = join(directory, 'index.html');
  if (!existsSync(index)) return undefined;
  // What else it loads is named relative to this.
  const html = readFileSync(index, 'utf8').replace('<base href="/"', `<base href="${basePath}/"`);
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  await app.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: `${basePath}/assets/`,
    preCompressed: true,
    decorateReply: false,
    // Their names change with what is in them.
    immutable: true,
    maxAge: '1y',
  });
  const icon = readFileSync(join(directory, 'favicon.svg'));
  return {
    answer(request, reply) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      const path = (request.url.split('?', 1)[0] ?? '').slice(basePath.length);
      if (!request.url.startsWith(basePath) || notPages.test(path)) return false;
      if (path === '/favicon.svg') {
        reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(icon);
        return true;
      }
      // Logging out leads here whoever asked for it, also what wants no page.
      if (path !== '/' && path !== '/signed-out' && request.headers.accept?.includes('text/html') !== true)
        return false;
      // Names of projects and flags may hold dots, which make no file of them.
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
