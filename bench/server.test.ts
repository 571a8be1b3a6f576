import type { ChildProcess } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { usageOf } from './process-usage.ts';
import { startServer } from './server.ts';

const echo = fileURLToPath(new URL('./floors/node-echo.ts', import.meta.url));

/** Returns the options of a server with the program `text`, which can use the variables `port` and `http`. */
function program(text: string): { name: string; args: string[] } {
  return { name: 'test program', args: ['-e', `const http = require('node:http'), port = process.env.PORT; ${text}`] };
}

const listening =
  "http.createServer((_, response) => response.end(JSON.stringify(process.env))).listen(port, '127.0.0.1');";

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** Runs `start`, which may fail, and returns the processes that it has spawned. */
async function spawnedBy(start: () => Promise<void>): Promise<ChildProcess[]> {
  const spawned: ChildProcess[] = [];
  const add = (message: unknown) => void spawned.push((message as { process: ChildProcess }).process);
  diagnostics.subscribe('child_process', add);
  try {
    await start();
  } finally {
    diagnostics.unsubscribe('child_process', add);
  }
  return spawned;
}

describe('server under test', () => {
  it('is ready when it is returned, and gone when it was stopped', async () => {
    const server = await startServer({ name: 'echo', args: [echo] });
    expect(server.readyAfterMs).toBeGreaterThan(0);
    const response = await fetch(server.origin, { method: 'POST', body: 'hello' });
    expect(await response.text()).toBe('hello');
    expect(isRunning(server.pid)).toBe(true);
    await server.stop();
    expect(isRunning(server.pid)).toBe(false);
    await expect(fetch(server.origin)).rejects.toThrow();
  });

  it('is stopped at the end of its block, even while a client holds a connection', async () => {
    let pid = 0;
    {
      await using server = await startServer({ name: 'echo', args: [echo] });
      pid = server.pid;
      await (await fetch(server.origin, { method: 'POST', body: 'hello' })).text();
    }
    expect(isRunning(pid)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('reports memory and processor time of its process', async () => {
    await using server = await startServer({ name: 'echo', args: [echo] });
    const usage = await server.usage();
    expect(usage?.rssBytes).toBeGreaterThan(10_000_000);
    expect(usage?.peakRssBytes).toBeGreaterThanOrEqual(usage?.rssBytes ?? 0);
    expect(usage?.cpuMs).toBeGreaterThan(0);
    expect(await usageOf(2 ** 22 + 1)).toBeUndefined();
  });

  it('sees only the settings it is given', async () => {
    process.env.DATABASE_URL = 'postgres://elsewhere';
    try {
      await using server = await startServer({ ...program(listening), env: { YARDARM_DATA_DIR: '/data' } });
      const env = await (await fetch(server.origin)).json();
      expect(env).toMatchObject({ YARDARM_DATA_DIR: '/data', HTTP_HOST: '127.0.0.1' });
      expect(env).not.toHaveProperty('DATABASE_URL');
    } finally {
      delete process.env.DATABASE_URL;
    }
  });

  it('waits through answers other than 200', async () => {
    const warming =
      "let n = 0; http.createServer((_, r) => { r.statusCode = ++n < 4 ? 503 : 200; r.end(); }).listen(port, '127.0.0.1')";
    await using server = await startServer(program(warming));
    expect((await fetch(server.origin)).status).toBe(200);
  });

  it('rejects with its last output when it ends before it is ready', async () => {
    await expect(startServer(program("console.error('no disk'); process.exit(3)"))).rejects.toThrow(
      /test program did not become ready:.*exit code 3[\s\S]*no disk/,
    );
    await expect(startServer({ name: 'nothing', command: '/no/such/program', args: [] })).rejects.toThrow(/ENOENT/);
  });

  it('rejects and is killed when it does not become ready in time', async () => {
    // Not by a process id that it prints: on a busy machine, Node takes longer than that to start.
    const spawned = await spawnedBy(() =>
      expect(startServer({ ...program('setInterval(() => 0, 1000)'), readyTimeoutMs: 500 })).rejects.toThrow(
        /not within 500 ms; GET \/ready last:.*ECONNREFUSED/,
      ),
    );
    expect(spawned.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
    expect(isRunning(spawned[0]?.pid ?? 0)).toBe(false);
  });

  it('is killed and reported when it ignores SIGTERM', async () => {
    const server = await startServer({
      ...program(`process.on('SIGTERM', () => 0); ${listening}`),
      stopTimeoutMs: 200,
    });
    await expect(server.stop()).rejects.toThrow('did not end within 200 ms of SIGTERM');
    expect(isRunning(server.pid)).toBe(false);
  });

  it('is reported when it fails while stopping or had ended by itself', async () => {
    const failing = await startServer(program(`process.on('SIGTERM', () => process.exit(7)); ${listening}`));
    await expect(failing.stop()).rejects.toThrow('ended with exit code 7');
    const crashing = await startServer(program(`${listening} process.on('SIGUSR2', () => process.exit(9))`));
    process.kill(crashing.pid, 'SIGUSR2');
    await expect.poll(() => isRunning(crashing.pid)).toBe(false);
    await expect(crashing.stop()).rejects.toThrow('had ended before it was stopped (9)');
  });
});
