import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns a port of the loopback address on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** Returns how often the output has a text. */
const times = (output: string, text: string) => output.split(text).length - 1;

describe('npm run dev', () => {
  let child: ChildProcess;
  let output = '';
  let interfaceUrl: string;

  /** Waits for the output to have a text so many times; a machine under load takes a minute for the demo's month. */
  const untilPrinted = (text: string, count = 1) =>
    vi.waitFor(() => expect(times(output, text), output).toBe(count), { timeout: 150_000, interval: 200 });

  beforeAll(async () => {
    const [server, ui] = [await freePort(), await freePort()];
    interfaceUrl = `http://localhost:${ui}`;
    child = spawn(process.execPath, ['build/dev.ts', '--server', `${server}`, '--interface', `${ui}`], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    await untilPrinted('A demo of Yardarm serves');
  }, 180_000);

  afterAll(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  }, 60_000);

  it('serves the source of the interface, and the API of the demo, on one address', async () => {
    expect(await (await fetch(interfaceUrl)).text()).toContain('/src/main.tsx');
    const login = await fetch(`${interfaceUrl}/auth/simple/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password: /password +(\S+)/.exec(output)?.[1] }),
    });
    expect(login.status).toBe(200);
    expect(await login.json()).toMatchObject({ username: 'ada' });
  });

  it('starts the server again when one of its files changes', async () => {
    utimesSync(`${root}/apps/server/src/kernel/clock.ts`, new Date(), new Date());
    await untilPrinted('A demo of Yardarm serves', 2);
  }, 180_000);

  it('stops server and interface on Ctrl-C, with the data of the demo deleted', async () => {
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exit).toEqual([0, null]);
    expect(times(output, 'The data of the demo is deleted.')).toBe(times(output, 'Creating a month'));
    await expect(fetch(interfaceUrl)).rejects.toThrow('fetch failed');
  }, 60_000);
});
