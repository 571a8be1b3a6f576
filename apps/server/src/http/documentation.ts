import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type StaticFiles, sendFile } from './static-files.ts';

/** The documentation loads nothing from other servers and holds no inline script. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the built documentation below `/docs`. Routes of the contract below `/docs` have precedence. Does nothing when
 * the documentation has not been built.
 */
export function serveDocumentation(
  app: FastifyInstance,
  { files, basePath }: { readonly files: StaticFiles; readonly basePath: string },
): void {
  if (!files.paths.has('index.html')) return;
  // File names have no hash, so clients ask each time. The files do not change while the server runs.
  const etags = new Map<string, string>();
  const etagOf = async (path: string) => {
    const known = etags.get(path);
    if (known !== undefined) return known;
    const hash = createHash('sha256').update(await files.read(path));
    const etag = `W/"${hash.digest('base64url').slice(0, 22)}"`;
    etags.set(path, etag);
    return etag;
  };
  app.get<{ Params: { '*': string } }>(`${basePath}/docs/*`, async (request, reply) => {
    const path = request.params['*'];
    if (!files.paths.has(path)) return reply.callNotFound();
    const etag = await etagOf(path);
    reply.headers({ 'cache-control': 'no-cache', etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (path.endsWith('.html')) reply.header('content-security-policy', contentSecurityPolicy);
    return sendFile(request, reply, files, path);
  });
  app.get(`${basePath}/docs`, (_request, reply) => reply.redirect(`${basePath}/docs/index.html`));
}
