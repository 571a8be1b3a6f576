import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { callApi } from './api.ts';
import { serveHttp } from './load/test-server.ts';
import { readMetric } from './metrics.ts';
import { createRawClient } from './raw-client.ts';
import { openAnswer } from './slow-reader.ts';

describe('calling the API', () => {
  it('sends a token and JSON, and returns the body', async () => {
    await using server = await serveHttp((request, response) => {
      request.setEncoding('utf8').on('data', (body) => {
        response.end(JSON.stringify([request.method, request.headers.authorization, JSON.parse(body)]));
      });
    });
    expect(await callApi(server.origin, 'secret', 'POST', '/', { a: 1 })).toEqual(['POST', 'secret', { a: 1 }]);
  });

  it('returns undefined for an empty body, and throws the message of a refusal', async () => {
    await using server = await serveHttp((request, response) => {
      response.statusCode = request.url === '/empty' ? 202 : 409;
      response.end(request.url === '/empty' ? '' : '{"message":"There is one."}');
    });
    expect(await callApi(server.origin, undefined, 'GET', '/empty')).toBeUndefined();
    await expect(callApi(server.origin, undefined, 'GET', '/full')).rejects.toThrow(
      'GET /full was answered 409: {"message":"There is one."}',
    );
  });
});

describe('a metric', () => {
  it('is read by its whole name', async () => {
    await using server = await serveHttp((_request, response) => response.end('# HELP a b\na_total 1\na 0.25\n'));
    expect(await readMetric(server.origin, 'a')).toBe(0.25);
    await expect(readMetric(server.origin, 'b')).rejects.toThrow('GET /metrics tells no b');
  });
});

describe('a raw client', () => {
  it('returns raw bodies, on one connection that ends with it', async () => {
    await using server = await serveHttp((request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(String(request.headers['x-word'])));
    });
    {
      using client = createRawClient(server.origin, { 'x-word': 'one' });
      expect(gunzipSync((await client.send('GET', '/')).body).toString()).toBe('one');
      const second = await client.send('GET', '/', { 'x-word': 'two' });
      expect(gunzipSync(second.body).toString()).toBe('two');
      expect(second).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } });
      expect(server.open.size).toBe(1);
    }
    await server.drained();
  });

  it('rejects when the connection is lost', async () => {
    await using server = await serveHttp((request) => request.socket.destroy());
    using client = createRawClient(server.origin, {});
    await expect(client.send('GET', '/')).rejects.toThrow();
  });
});

describe('a slow reader', () => {
  const size = 50_000_000;

  it('reads as much as it is asked to and leaves the rest with the sender', async () => {
    let written = 0;
    await using server = await serveHttp((_request, response) => {
      const piece = Buffer.alloc(100_000, 'x');
      const write = () => {
        while (written < size) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    {
      using answer = await openAnswer(server.origin, 'secret');
      expect(await answer.bytesAfter(1)).toBeGreaterThan(0);
      expect(await answer.read(1)).toMatchObject({ ended: false });
      expect(written).toBeLessThan(size);
    }
    await server.drained();
  });

  it('reports the end of the answer, or that it was too short', async () => {
    await using server = await serveHttp((_request, response) => response.end('short'));
    using answer = await openAnswer(server.origin, 'secret');
    expect(await answer.read(5000)).toEqual({ bytes: 5, ended: true });
    using other = await openAnswer(server.origin, 'secret');
    await expect(other.bytesAfter(6)).rejects.toThrow('5 bytes only');
  });

  it('rejects a refusal', async () => {
    await using server = await serveHttp((_request, response) => response.writeHead(401).end());
    await expect(openAnswer(server.origin, 'secret')).rejects.toThrow('was answered 401');
  });
});
