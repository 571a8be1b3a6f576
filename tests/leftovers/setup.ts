import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll } from 'vitest';
import { kill, startedHere } from './processes.ts';

// Runs before each test file. Fails the file when, after its own afterAll hooks, a resource that it started remains: a
// listening server, a worker thread, a process (also a grandchild), an open socket, a file in the temporary directory.
// Node announces servers and workers as they start, so those of vitest are not counted.

const graceMs = 3_000;
const stepMs = 20;
const mark = `yardarm-test-${randomUUID()}`;
process.env.LEFTOVERS_MARK = mark;
const around = tmpdir();
const temporary = realpathSync(mkdtempSync(join(around, 'yardarm-test-')));
process.env.TMPDIR = temporary;

const servers = new Set<Server>();
const workers = new Set<Worker>();
const children = new Set<ChildProcess>();
const announcements = [
  listen('tracing:net.server.listen:asyncStart', ({ server }: { server: Server }) => servers.add(server)),
  listen('worker_threads', ({ worker }: { worker: Worker }) => workers.add(worker)),
  listen('child_process', ({ process }: { process: ChildProcess }) => children.add(process)),
];

/** Subscribes to a channel of Node, and returns the function that ends the subscription. */
function listen<Message>(channel: string, received: (message: Message) => void): () => void {
  const listener = (message: unknown) => received(message as Message);
  diagnostics.subscribe(channel, listener);
  return () => diagnostics.unsubscribe(channel, listener);
}

function address(server: Server): string {
  const at = server.address();
  return at !== null && typeof at === 'object' ? `${at.address}:${at.port}` : String(at);
}

const ended = (child: ChildProcess) => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/** Returns the resources that still run, a line for each. */
function running(): string[] {
  const own = [...children].filter((child) => !ended(child));
  const others = startedHere(mark).filter(({ pid }) => !own.some((child) => child.pid === pid));
  // An idle keep-alive connection of fetch does not keep the process running, and Node does not count it. A busy one
  // counts.
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  return [
    ...[...servers].filter((server) => server.listening).map((server) => `server on ${address(server)}`),
    ...[...workers].filter((worker) => worker.threadId !== -1).map((worker) => `worker thread ${worker.threadId}`),
    ...own.map((child) => `process ${child.pid}: ${child.spawnargs.join(' ')}`),
    ...others.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...(sockets > 0 ? [`${sockets} open sockets`] : []),
  ];
}

/** Ends what the file left running, so that it neither blocks the run nor disturbs the next file. */
async function end(): Promise<void> {
  for (const server of servers) server.close();
  for (const child of children) child.kill('SIGKILL');
  kill(startedHere(mark).map(({ pid }) => pid));
  await Promise.all([...workers].map((worker) => worker.terminate()));
}

// Hooks run in reverse order of registration: this one is registered before those of the file, so it runs last.
afterAll(async () => {
  // Stopped resources may need some turns of the event loop to end. Counts steps and not time, because a test may have
  // left the clock faked.
  for (let waited = 0; waited < graceMs && running().length > 0; waited += stepMs) await wait(stepMs);
  const left = running();
  if (left.length > 0) await end();
  // Files may share this process: a listener that stayed would keep every server of later files in memory.
  for (const ignore of announcements) ignore();
  left.push(...readdirSync(temporary).map((name) => `temporary file ${name}`));
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  process.env.TMPDIR = around;
  if (left.length > 0) throw new Error(`this file left something behind:\n  ${left.join('\n  ')}`);
});
