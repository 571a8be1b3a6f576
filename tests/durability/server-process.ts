import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { program as ownProgram } from '../../apps/server/testing/program.ts';
import { until } from './until.ts';

const keptOutput = 20_000;

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server in a process of its own, as `yardarm start` starts it, on a free port of 127.0.0.1. */
export interface ServerProcess {
  /** The address of the server. */
  readonly origin: string;
  readonly pid: number;
  /** From the start of the process to the first 200 of `/ready`. */
  readonly readyAfterMs: number;
  readonly ended: Promise<Exit>;
  /** The end of its output and log. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Sends the signal `name` unless the process has ended, and resolves when it has ended. */
  end(name: NodeJS.Signals): Promise<Exit>;
}

const running = new Set<ChildProcess>();
// Kills the servers even if the test process is stopped before its tests have ended.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts `program` (by default this version's) with `command` and the flags of `npm start`, and does not wait until it
 * is ready. `env` is the complete environment, besides the paths of programs and temporary files.
 */
export function spawnServer(
  env: Readonly<Record<string, string>>,
  command = 'start',
  program = ownProgram,
): {
  child: ChildProcess;
  output: () => string;
  ended: Promise<Exit>;
} {
  const { PATH = '', HOME = '/', TMPDIR = '/tmp' } = process.env;
  const child = spawn(process.execPath, ['--max-semi-space-size=4', program, command], {
    env: {
      ...{ PATH, HOME, TMPDIR, HTTP_HOST: '127.0.0.1', PORT: '0' },
      // Only tests of the shutdown delay have to wait for it.
      YARDARM_SHUTDOWN_DELAY: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output = (output + piece).slice(-keptOutput);
    });
  }
  const ended = once(child, 'close').then(([code, signal]): Exit => {
    running.delete(child);
    return { code, signal };
  });
  return { child, output: () => output, ended };
}

/** Starts a server and resolves when it is ready. Rejects with its output when it ends or takes over 30 s. */
export async function startServer(env: Readonly<Record<string, string>>, program?: string): Promise<ServerProcess> {
  const startedAt = performance.now();
  const { child, output, ended } = spawnServer(env, 'start', program);
  let exit: Exit | undefined;
  void ended.then((how) => {
    exit = how;
  });
  const end = async (name: NodeJS.Signals): Promise<Exit> => {
    if (exit === undefined) child.kill(name);
    return ended;
  };
  try {
    const origin = await until('the server to be ready', 90_000, async () => {
      if (exit !== undefined)
        throw new Error(`the server ended before it was ready, with code ${exit.code}, signal ${exit.signal}`);
      const address = /serves on (http:\S+)/.exec(output())?.[1];
      return address !== undefined && (await isReady(address)) ? address : undefined;
    });
    return {
      origin,
      pid: child.pid as number,
      readyAfterMs: performance.now() - startedAt,
      ended,
      output,
      signal: (name) => void child.kill(name),
      end,
    };
  } catch (cause) {
    await end('SIGKILL');
    throw new Error(`the server did not become ready: ${output()}`, { cause });
  }
}

/** Returns whether `/ready` answers 200 within two seconds. */
async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/ready`, { signal: AbortSignal.timeout(2000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    // Not ready: the server does not listen yet, or has stopped listening.
    return false;
  }
}
