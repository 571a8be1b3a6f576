import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer as it was received: the body is not decompressed. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends requests over one connection, kept between them. Leaving a `using` closes it. */
export interface RawClient extends Disposable {
  send(method: string, path: string, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>;
}

/** Creates a client for one request at a time. `fetch` would decode bodies and add headers. */
export function createRawClient(origin: string, headers: Readonly<Record<string, string>>): RawClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: (method, path, more) =>
      new Promise((resolve, reject) => {
        const outgoing = request(origin + path, { method, agent, headers: { ...headers, ...more } }, (response) => {
          buffer(response).then(
            (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
            reject,
          );
        });
        outgoing.once('error', reject);
        outgoing.end();
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
