import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A system on this machine that actions call. */
export interface Receiver {
  readonly url: string;
  /** The keys of the calls that came, as often as they came. */
  readonly keys: readonly string[];
  close(): Promise<void>;
}

/** Takes whatever it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    keys.push(String(request.headers['idempotency-key']));
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    keys,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Lets a server call it. */
export const receiverSettings = { UNLEASH_ALLOW_LIST_INTEGRATION: '127.0.0.1' };
