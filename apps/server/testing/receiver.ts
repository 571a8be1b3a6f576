import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** The requests that the receiver got, in order. */
  readonly received: Received[];
  /**
   * Sets the statuses of the next answers at a path; later answers have the status 200. Instead of an answer, the
   * status 0 closes the connection.
   */
  answer(path: string, ...statuses: number[]): void;
}

/** Starts a local HTTP server that records requests, for the tests of a file. */
export function useReceiver(): () => Receiver {
  const received: Received[] = [];
  const answers = new Map<string, number[]>();
  let url = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      const status = answers.get(request.url ?? '')?.shift() ?? 200;
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, { location: `${url}/elsewhere` }).end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return () => ({ url, received, answer: (path, ...statuses) => void answers.set(path, statuses) });
}
