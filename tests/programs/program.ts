import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeCertificate } from '../../apps/server/testing/certificate.ts';

const startsWithinMs = 15_000;

export interface Program {
  readonly port: number;
  readonly directory: string;
  /** The certificate of the program in PEM. It is self-signed, so clients trust it as the authority. */
  readonly ca: string;
  stop(): Promise<void>;
}

/** Where a program listens, and the files that it may use. */
export interface Place {
  readonly port: number;
  readonly directory: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * Starts a program that listens on a free port of the loopback address, with a certificate of its own and an empty
 * working directory. `variables` are added to those of this process. Rejects with its output when it is not installed
 * or does not listen in time.
 */
export async function startProgram(
  command: string,
  argumentsOf: (place: Place) => readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const directory = mkdtempSync(join(tmpdir(), 'yardarm-program-'));
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const { cert, key } = makeCertificate();
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const port = await freePort();
  const child = spawn(command, argumentsOf({ port, directory, certFile, keyFile }), {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: directory,
    env: { ...process.env, ...variables },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const failed = once(child, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  const stop = async () => {
    await end(child);
    rmSync(directory, { recursive: true });
  };
  try {
    await Promise.race([listening(port, child), failed]);
  } catch (error) {
    await stop();
    throw new Error(`${command} did not start: ${error instanceof Error ? error.message : error}\n${output}`);
  }
  return { port, directory, ca: cert, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + startsWithinMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    if (Date.now() > until) throw new Error(`it does not listen on port ${port}`);
    await wait(20);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
