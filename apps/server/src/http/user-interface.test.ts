import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { rawAnswer } from '#testing/raw-http.ts';
import { createServer } from './server.ts';
import { filesIn } from './static-files.ts';

const script = 'console.log("the user interface")';

describe('the user interface', () => {
  const directory = mkdtempSync(join(tmpdir(), 'yardarm-ui-'));
  let app: FastifyInstance;
  let origin: string;

  beforeAll(async () => {
    mkdirSync(join(directory, 'assets'));
    writeFileSync(join(directory, 'index.html'), '<html><head><base href="/" /></head></html>');
    writeFileSync(join(directory, 'favicon.svg'), '<svg/>');
    writeFileSync(join(directory, 'assets/index-abc.js'), script);
    writeFileSync(join(directory, 'assets/index-abc.js.br'), brotliCompressSync(script));
    app = await createServer(
      {
        basePath: '/flags',
        trustProxy: 0,
        secure: false,
        logger: pino({ level: 'silent' }),
        clock: systemClock,
        userInterface: filesIn(directory),
        allowedMethods: () => [],
        refusedPaths: [],
        cors: { origins: () => [], maxAgeSeconds: 0 },
        onAnswer: () => undefined,
      },
      () => undefined,
    );
    origin = await app.listen({ host: '127.0.0.1', port: 0 });
  });

  afterAll(async () => {
    await app.close();
    rmSync(directory, { recursive: true });
  });

  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const get = (url: string, headers: Record<string, string> = browser) => app.inject({ method: 'GET', url, headers });

  it.each(['/flags/', '/flags/projects/default', '/flags/projects/a.b', '/flags/signed-out'])(
    'is the same page at %s, which loads the rest from below the base path and is never cached',
    async (path) => {
      const reply = await get(path);
      expect(reply.statusCode).toBe(200);
      expect(reply.body).toContain('<base href="/flags/"');
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
      expect(reply.headers['content-security-policy']).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
      const again = await get(path, { ...browser, 'if-none-match': String(reply.headers.etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    },
  );

  it('is served at the root path', async () => {
    expect((await get('/flags/', { accept: '*/*' })).statusCode).toBe(200);
    // A logout redirects any client to this page, so the page is served for any Accept header.
    expect((await get('/flags/signed-out', { accept: 'application/json' })).statusCode).toBe(200);
    expect((await app.inject({ method: 'HEAD', url: '/flags/' })).statusCode).toBe(200);
  });

  it('is the answer to a file that there is not, with a 404', async () => {
    expect((await get('/flags/old-script.js')).statusCode).toBe(404);
    expect((await get('/flags/assets/old-script.js')).statusCode).toBe(404);
  });

  it.each(['../../package.json', '%2e%2e/%2e%2e/package.json', '..%2f..%2fpackage.json'])(
    'has nothing at %s, which leads out of it',
    async (path) => {
      const { status, body } = await rawAnswer(
        origin,
        `GET /flags/assets/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect(status, body).toBe(404);
    },
  );

  it.each(['/flags/api/admin/nowhere', '/flags/auth/nowhere', '/flags/docs/nowhere', '/elsewhere'])(
    'is not at %s, where programs get an error that they can read',
    async (path) => {
      const reply = await get(path);
      expect([reply.statusCode, reply.json().name]).toEqual([404, 'NotFoundError']);
    },
  );

  it('is not returned to programs or for POST at an unknown path, which get 404', async () => {
    expect((await get('/flags/nowhere', { accept: 'application/json' })).json().name).toBe('NotFoundError');
    const posted = await app.inject({ method: 'POST', url: '/flags/nowhere', headers: browser });
    expect([posted.statusCode, posted.json().name]).toEqual([404, 'NotFoundError']);
  });

  it('has scripts that are cached for ever, compressed for clients that accept it', async () => {
    const plain = await get('/flags/assets/index-abc.js', {});
    expect(plain.body).toBe(script);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const small = await get('/flags/assets/index-abc.js', { 'accept-encoding': 'br, gzip' });
    expect(small.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(script);
  });

  it('serves no file outside its directory', async () => {
    for (const path of [
      '/flags/assets/../index.html',
      '/flags/assets/..%2findex.html',
      '/flags/assets/%2e%2e/index.html',
    ]) {
      expect((await get(path, {})).body).not.toContain('<base');
    }
  });
});
