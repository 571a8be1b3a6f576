import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from './content-encoding.ts';

/** Files that ship with the program, by path below their folder, such as `assets/index-abc.js`. */
export interface StaticFiles {
  readonly paths: ReadonlySet<string>;
  /** Returns the content of one of `paths`. */
  readonly read: (path: string) => Promise<Uint8Array>;
}

/**
 * Media types by file extension; files with other extensions are not served. Markdown is served as plain text, because
 * browsers show plain text and would save `text/markdown` as a file.
 */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.yml': 'text/plain; charset=utf-8',
};
const suffixes = { br: '.br', gzip: '.gz', identity: '' };

/** Returns the files below a directory; none when it is missing. */
export function filesIn(directory: string): StaticFiles {
  let names: string[];
  try {
    names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    names = [];
  }
  return {
    paths: new Set(names.map((name) => name.replaceAll(sep, '/'))),
    read: (path) => readFile(join(directory, path)),
  };
}

/** Returns the files with each read once, so that all readers of a file share its memory. */
export function keptInMemory(files: StaticFiles): StaticFiles {
  const kept = new Map<string, Promise<Uint8Array>>();
  return {
    paths: files.paths,
    read: (path) => {
      const known = kept.get(path);
      if (known !== undefined) return known;
      const reading = files.read(path).catch((error: unknown) => {
        kept.delete(path);
        throw error;
      });
      kept.set(path, reading);
      return reading;
    },
  };
}

/**
 * Serves the files below `assets/` of the given files. Their names contain a hash of the content, so clients may keep
 * them.
 */
export function serveAssets(app: FastifyInstance, files: StaticFiles, basePath: string): void {
  app.get<{ Params: { '*': string } }>(`${basePath}/assets/*`, (request, reply) => {
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return sendFile(request, reply, files, `assets/${request.params['*']}`);
  });
}

/** Answers with a file, or its compressed copy (`.br`, `.gz`) when the client accepts it; 404 when it is missing. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  files: StaticFiles,
  path: string,
): Promise<FastifyReply> {
  const type = types[extname(path)];
  if (type === undefined || !files.paths.has(path)) {
    reply.removeHeader('cache-control').callNotFound();
    return reply;
  }
  const accepted = encodingFor(request.headers['accept-encoding'], Number.POSITIVE_INFINITY);
  const encoding = files.paths.has(path + suffixes[accepted]) ? accepted : 'identity';
  reply.header('vary', 'accept-encoding').type(type);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  const content = await files.read(path + suffixes[encoding]);
  reply.server.slowReaders.watch(reply.raw, content);
  return reply.send(content);
}
