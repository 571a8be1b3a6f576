import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSender } from './send.ts';

const token = 'T0PSECRET-token-of-a-hook';

/** Answers of receivers that are slow, broken or hostile, by path. */
const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/endless': (response) => {
    const chunk = 'x'.repeat(64 * 1024);
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  '/silent': (response) => void response.writeHead(503, { 'retry-after': '120' }).flushHeaders(),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half', () => response.socket?.destroy());
  },
  '/moved': (response) => void response.writeHead(302, { location: '/silent' }).end('elsewhere'),
  '/echo': (response) =>
    void response.writeHead(401).end(`Bearer ${token}\u0000\r\n{"path":"/hooks/${token}"} was wrong`),
  '/echo-query': (response) => void response.writeHead(400).end(`{"args":{"v":"1","sig":"a+${token}/="}}`),
  '/cut-secret': (response) => void response.writeHead(401).end('y'.repeat(4096 - 12) + token),
};

describe('the start of an answer', () => {
  let url = '';
  const server = createServer((request, response) => {
    request.resume();
    answers[(request.url ?? '').split('?')[0] ?? '']?.(response);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const send = (path: string) =>
    createSender(
      { allowPrivate: true, allowedHosts: [] },
      async () => [],
      10_000,
    )({
      method: 'POST',
      url: url + path,
      headers: path.startsWith('/echo-query') ? {} : { authorization: `Bearer ${token}` },
      body: '{}',
    });

  it('is cut to 1000 characters of an endless body', async () => {
    expect(await send('/endless')).toEqual({ status: 200, answer: 'x'.repeat(1000) });
  });

  it('is empty when no body follows, and Retry-After is read', async () => {
    expect(await send('/silent')).toEqual({ status: 503, answer: '', retryAfterMs: 120_000 });
  });

  it('is kept when the connection is closed half-way', async () => {
    expect(await send('/cut')).toEqual({ status: 200, answer: 'half' });
  });

  it('is that of a redirect, which is not followed', async () => {
    expect(await send('/moved')).toEqual({ status: 302, answer: 'elsewhere' });
  });

  it('contains no secrets and no control characters', async () => {
    const result = await send('/echo');
    expect(result).toEqual({ status: 401, answer: '***** {"path":"/hooks/*****"} was wrong' });
    expect(JSON.stringify(await send('/cut-secret'))).not.toContain('T0PSEC');
  });

  it('contains no secret of the query of the URL', async () => {
    const result = await send(`/echo-query?v=1&sig=${encodeURIComponent(`a+${token}/=`)}`);
    expect(result).toEqual({ status: 400, answer: '{"args":{"v":"1","sig":"*****"}}' });
  });
});
