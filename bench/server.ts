import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { killWithUs } from './children.ts';
import { type ProcessUsage, usageOf } from './process-usage.ts';

export interface ServerOptions {
  /** The name of the server in error messages. */
  readonly name: string;
  /** The program and its arguments; the program is this Node unless given. */
  readonly command?: string;
  readonly args: readonly string[];
  /**
   * All settings of the server, besides `PORT` and `HTTP_HOST`. From this environment, the server inherits only `PATH`
   * and a few more variables without settings.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The time until GET /ready must answer; default 120,000, as a busy machine is slow. */
  readonly readyTimeoutMs?: number;
  /** The time from SIGTERM until the server is killed; default 15,000. */
  readonly stopTimeoutMs?: number;
}

/** A server under test, listening on 127.0.0.1. Leaving an `await using` stops it. */
export interface RunningServer extends AsyncDisposable {
  readonly origin: string;
  readonly pid: number;
  /** From the start of the process to the first 200 of GET /ready. */
  readonly readyAfterMs: number;
  /** Returns the usage of the running process; undefined without /proc. */
  usage(): Promise<ProcessUsage | undefined>;
  /**
   * Stops the server by SIGTERM. Rejects when it had already ended, takes too long (it is then killed) or ends with a
   * failure. May be called repeatedly.
   */
  stop(): Promise<void>;
}

const pollMs = 10;
const lastWordsMs = 500;
const keptOutput = 8000;

/**
 * Starts a server process and resolves when GET /ready answers 200. Rejects with the end of its output when the process
 * ends earlier or takes too long. The process is stopped then, and when this process ends.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(options.command ?? process.execPath, options.args, {
    cwd: options.cwd,
    env: { ...inheritedEnv(), ...options.env, PORT: String(port), HTTP_HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const release = killWithUs(child);
  const output = tail(child);
  const exited = exitOf(child);
  const origin = `http://127.0.0.1:${port}`;
  try {
    await untilReady(options, origin, exited);
  } catch (cause) {
    child.kill('SIGKILL');
    await exited;
    release();
    throw new Error(`${options.name} did not become ready: ${String(cause)}\n${output()}`, { cause });
  }
  const readyAfterMs = performance.now() - startedAt;
  const stop = async () => {
    await stopChild(options, child, exited, output);
    release();
  };
  let stopped: Promise<void> | undefined;
  const stopOnce = () => {
    stopped ??= stop();
    return stopped;
  };
  const pid = child.pid ?? 0;
  return { origin, pid, readyAfterMs, usage: () => usageOf(pid), stop: stopOnce, [Symbol.asyncDispose]: stopOnce };
}

/**
 * Returns the variables that servers inherit: without `DATABASE_URL`, which must not reach a server measured on SQLite.
 */
function inheritedEnv(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** How a process ended: its exit code, the signal that ended it, or why it could not be started. */
type Exit = string;

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      // The last output may arrive after `exit`. `close` follows it, but not while a child of the process holds the
      // pipe.
      const enough = setTimeout(() => resolve(how), lastWordsMs);
      child.once('close', () => {
        clearTimeout(enough);
        resolve(how);
      });
    });
  });
}

async function untilReady(options: ServerOptions, origin: string, exited: Promise<Exit>): Promise<void> {
  const timeoutMs = options.readyTimeoutMs ?? 120_000;
  const deadline = performance.now() + timeoutMs;
  let exit: Exit | undefined;
  void exited.then((how) => (exit = how));
  let last = 'no attempt';
  while (performance.now() < deadline) {
    if (exit !== undefined) throw new Error(`the server ended before it was ready (${exit})`);
    last = await attempt(`${origin}/ready`);
    if (last === '200') return;
    await pause(pollMs);
  }
  throw new Error(`not within ${timeoutMs} ms; GET /ready last: ${last}`);
}

/** Returns the status of a GET, or why there is none. */
async function attempt(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000), headers: { connection: 'close' } });
    await response.arrayBuffer();
    return String(response.status);
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  }
}

async function stopChild(
  options: ServerOptions,
  child: ChildProcess,
  exited: Promise<Exit>,
  output: () => string,
): Promise<void> {
  const timeoutMs = options.stopTimeoutMs ?? 15_000;
  const early = child.exitCode ?? child.signalCode;
  if (early !== null) throw new Error(`${options.name} had ended before it was stopped (${early})\n${output()}`);
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const how = await exited;
  clearTimeout(kill);
  if (how === 'SIGKILL') throw new Error(`${options.name} did not end within ${timeoutMs} ms of SIGTERM\n${output()}`);
  if (how !== 'exit code 0' && how !== 'SIGTERM') throw new Error(`${options.name} ended with ${how}\n${output()}`);
}

/** Keeps the end of the child's output, for messages; reading it also keeps the child from blocking on a full pipe. */
function tail(child: ChildProcess): () => string {
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      kept = (kept + piece).slice(-keptOutput);
    });
  }
  return () => kept.trim();
}

/** Returns a port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('A listening server has no port');
  return address.port;
}
