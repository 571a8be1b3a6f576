import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { fastify } from 'fastify';
import { closeOnTerm, host, port } from './serve.ts';

// Floor for delivery: bare Fastify sending given bytes at GET /, or 304 when the ETag of the request matches.
// node bench/floors/fastify-bytes.ts (--file <path> [--encoding gzip|br] | --size <bytes>)
const { values } = parseArgs({
  options: { file: { type: 'string' }, encoding: { type: 'string' }, size: { type: 'string', default: '1024' } },
});
const body = values.file === undefined ? Buffer.alloc(Number(values.size), 'x') : await readFile(values.file);
const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;

const app = fastify();
app.get('/ready', () => 'ready');
app.get('/', (request, reply) => {
  void reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (values.encoding !== undefined) void reply.header('content-encoding', values.encoding);
  return reply.type('application/json').send(body);
});
closeOnTerm(app.server);
await app.listen({ host, port });
