import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useReceiver } from '#testing/receiver.ts';
import { fetchText } from './index.ts';

describe('a certificate or a confirmation that is fetched from a sender', () => {
  const receiver = useReceiver();
  let answering: Server;
  let bytes = 0;
  beforeAll(async () => {
    answering = createServer((_request, response) => void response.end('a'.repeat(bytes)));
    await new Promise<void>((resolve) => answering.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    answering.closeAllConnections();
    await new Promise((resolve) => answering.close(resolve));
  });
  const fetchBytes = (count: number) => {
    bytes = count;
    return fetchText(`http://127.0.0.1:${(answering.address() as AddressInfo).port}/`);
  };

  it.each([301, 302, 307, 308])('is not looked for where a redirect with the status %i leads', async (status) => {
    const { url, received, answer } = receiver();
    received.length = 0;
    answer('/certificate.pem', status);
    await expect(fetchText(`${url}/certificate.pem`)).rejects.toThrow();
    expect(received.map(({ path }) => path)).toEqual(['/certificate.pem']);
  });

  it.each([403, 404, 500])('is none when the sender answers with the status %i', async (status) => {
    const { url, answer } = receiver();
    answer('/certificate.pem', status);
    await expect(fetchText(`${url}/certificate.pem`)).rejects.toThrow(`the status ${status}`);
  });

  it('has 20 kB at most', async () => {
    expect(await fetchBytes(20_000)).toHaveLength(20_000);
    await expect(fetchBytes(20_001)).rejects.toThrow('more than 20000 bytes');
  });
});
