import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine that actions call and an integration sends events to. */
export interface Receiver {
  readonly url: string;
  /** The idempotency keys of the received calls, one for each time a call was received. */
  readonly keys: readonly string[];
  /** The received events of an integration, one for each time an event was received. */
  readonly events: readonly { readonly messageId: string; readonly id: number }[];
  close(): Promise<void>;
}

/** Starts a receiver, which accepts every request. */
export async function startReceiver(): Promise<Receiver> {
  const keys: string[] = [];
  const events: { messageId: string; id: number }[] = [];
  const server = createServer((request, response) => {
    // Calls of actions have a key, events of integrations have none.
    const { 'webhook-id': messageId, 'idempotency-key': key } = request.headers;
    if (key !== undefined) keys.push(String(key));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (key === undefined) {
        const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number };
        events.push({ messageId: String(messageId), id });
      }
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    keys,
    events,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Settings of a server that allow it to call the receiver. */
export const receiverSettings = { UNLEASH_ALLOW_LIST_INTEGRATION: '127.0.0.1' };
