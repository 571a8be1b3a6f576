import { describe, expect, it } from 'vitest';
import { Connection, type Failure } from './connection.ts';
import type { Answer } from './response-parser.ts';
import { serveHttp } from './test-server.ts';

const request = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

/** Sends two requests one after the other, and returns how often the connection connected. */
async function connectsOf(maxIdleMs?: number): Promise<number> {
  await using server = await serveHttp((_, response) => response.end('ok'));
  let settle: (outcome: Answer | Failure) => void = () => undefined;
  const events = { answered: (answer: Answer) => settle(answer), failed: (failure: Failure) => settle(failure) };
  const connection = new Connection(new URL(server.origin), events, maxIdleMs);
  for (let count = 0; count < 2; count++) {
    const outcome = new Promise<Answer | Failure>((resolve) => {
      settle = resolve;
    });
    connection.send('GET', request);
    expect(await outcome).toMatchObject({ status: 200 });
  }
  connection.close();
  return connection.connects;
}

describe('a connection', () => {
  it('is used again', async () => {
    expect(await connectsOf()).toBe(1);
  });

  it('is not used again when it was idle for so long that the server may be closing it', async () => {
    expect(await connectsOf(0)).toBe(2);
  });
});
