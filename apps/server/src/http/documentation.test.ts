import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { createServer } from './server.ts';
import { filesIn } from './static-files.ts';

describe('the documentation', () => {
  const directory = mkdtempSync(join(tmpdir(), 'yardarm-docs-'));
  let app: FastifyInstance;

  beforeAll(async () => {
    mkdirSync(join(directory, 'guides'));
    writeFileSync(join(directory, 'index.html'), '<h1>Documentation</h1>');
    writeFileSync(join(directory, 'guides/on-call.html'), '<h1>On call</h1>');
    writeFileSync(join(directory, 'guides/on-call.md'), '# On call');
    app = await serverWith(directory);
  });

  afterAll(async () => {
    await app.close();
    rmSync(directory, { recursive: true });
  });

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

  it('is served below /docs, is checked again each time, and loads nothing from elsewhere', async () => {
    const reply = await get('/flags/docs/guides/on-call.html');
    expect([reply.statusCode, reply.body]).toEqual([200, '<h1>On call</h1>']);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
    });
    const again = await get('/flags/docs/guides/on-call.html', { 'if-none-match': String(reply.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('has each page as Markdown', async () => {
    const reply = await get('/flags/docs/guides/on-call.md');
    expect([reply.body, reply.headers['content-type']]).toEqual(['# On call', 'text/plain; charset=utf-8']);
  });

  it.each(['/flags/docs', '/flags/docs/'])('begins at %s', async (path) => {
    const reply = await get(path);
    const page = reply.statusCode === 302 ? await get(String(reply.headers.location)) : reply;
    expect([page.statusCode, page.body]).toEqual([200, '<h1>Documentation</h1>']);
  });

  it('leaves routes below /docs to the API', async () => {
    expect((await get('/flags/docs/openapi')).body).toBe('the API');
  });

  it.each(['/flags/docs/nowhere.html', '/flags/docs/..%2f..%2fpackage.json'])('has nothing at %s', async (path) => {
    const reply = await get(path);
    expect([reply.statusCode, reply.json().name]).toEqual([404, 'NotFoundError']);
  });

  it('is missing, with an error, where it has not been built', async () => {
    const bare = await serverWith(join(directory, 'guides'));
    const reply = await bare.inject({ method: 'GET', url: '/flags/docs/index.html' });
    expect([reply.statusCode, reply.json().name]).toEqual([404, 'NotFoundError']);
    await bare.close();
  });
});

function serverWith(documentation: string): Promise<FastifyInstance> {
  return createServer(
    {
      basePath: '/flags',
      trustProxy: 0,
      secure: false,
      logger: pino({ level: 'silent' }),
      clock: systemClock,
      documentation: filesIn(documentation),
      allowedMethods: () => [],
      refusedPaths: [],
      cors: { origins: () => [], maxAgeSeconds: 0 },
      onAnswer: () => undefined,
    },
    (scope) => void scope.get('/docs/openapi', (_request, reply) => reply.send('the API')),
  );
}
