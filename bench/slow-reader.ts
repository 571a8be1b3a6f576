import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** An answer that is read as slowly as its reader likes. Leaving a `using` closes the connection. */
export interface OpenAnswer extends Disposable {
  /**
   * Reads that many more bytes. Returns the milliseconds from the request until they arrived; rejects when there are
   * fewer.
   */
  bytesAfter(bytes: number): Promise<number>;
  /** Reads on for at most the given time. Returns the number of bytes, and whether the answer has ended. */
  read(ms: number): Promise<{ readonly bytes: number; readonly ended: boolean }>;
}

/** Sends a GET request on a connection of its own. Rejects when the status is not 200. */
export async function openAnswer(
  url: string,
  authorization: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenAnswer> {
  const startedAt = performance.now();
  const request = get(url, { headers: { authorization, ...headers }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const dispose = () => {
    // This process closes the connection itself, so its errors do not matter.
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    request.destroy();
  };
  if (response.statusCode !== 200) {
    dispose();
    throw new Error(`${url} was answered ${response.statusCode}`);
  }
  // Reads by the iterator: leaving a `for await` loop would destroy the response.
  const pieces = response[Symbol.asyncIterator]();
  return {
    bytesAfter: async (bytes) => {
      for (let received = 0; received < bytes; ) {
        const { done, value } = await pieces.next();
        if (done === true) throw new Error(`${url} was answered with ${received} bytes only`);
        received += value.length;
      }
      return performance.now() - startedAt;
    },
    read: async (ms) => {
      const until = performance.now() + ms;
      let bytes = 0;
      while (performance.now() < until) {
        const { done, value } = await pieces.next();
        if (done === true) return { bytes, ended: true };
        bytes += value.length;
      }
      return { bytes, ended: false };
    },
    [Symbol.dispose]: dispose,
  };
}
