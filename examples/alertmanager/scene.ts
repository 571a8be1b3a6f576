import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The longest time to wait for anything. Nearly all waits take a second. */
const usualPatience = 120_000;
const graceMs = 10_000;
const keptOutput = 20_000;

/** A program to start. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables, in addition to PATH, HOME and TMPDIR. */
  readonly env?: Readonly<Record<string, string>>;
  /** Finds the address in the output of the program: its group matches a URL, or `address:port`. */
  readonly listens: RegExp;
  /** A path that answers 200 when the program is ready. */
  readonly readyPath: string;
}

export interface Started {
  readonly name: string;
  readonly pid: number;
  /** For example http://127.0.0.1:40123 */
  readonly url: string;
}

interface Running {
  readonly name: string;
  readonly child: ChildProcess;
  readonly closed: Promise<void>;
  output: string;
}

/**
 * A scratch directory with the processes started in it. `end` stops them and deletes it; so does any end of this
 * process except `kill -9`.
 */
export class Scene {
  readonly directory = mkdtempSync(join(tmpdir(), 'yardarm-example-'));
  readonly #stop: AbortSignal;
  readonly #running: Running[] = [];

  /** Makes the directory. When `stop` is aborted, all waits reject with its reason. */
  constructor(stop: AbortSignal) {
    this.#stop = stop;
    process.on('exit', this.#endAtOnce);
  }

  /** Starts a program and resolves when it is ready. Each listens on a free port, to avoid conflicts. */
  async start({ name, command, args, env, listens, readyPath }: Program): Promise<Started> {
    this.#check();
    const { PATH = '', HOME = '/' } = process.env;
    const child = spawn(command, args, {
      cwd: this.directory,
      env: { PATH, HOME, TMPDIR: this.directory, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own: ctrl-C reaches only this script, which then stops the programs one after the other.
      detached: true,
    });
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const running: Running = { name, child, closed, output: '' };
    this.#running.push(running);
    child.once('error', (error) => {
      running.output += error.message;
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        running.output = (running.output + text).slice(-keptOutput);
      });
    }
    const url = await this.until(`${name} to be ready`, async () => {
      const found = listens.exec(running.output)?.[1];
      if (found === undefined) return undefined;
      const at = found.startsWith('http') ? found : `http://${found}`;
      return (await answersOk(at + readyPath)) ? at : undefined;
    });
    return { name, pid: child.pid as number, url };
  }

  /**
   * Polls until the answer is not undefined. Rejects after `patience` milliseconds, when a program ends unexpectedly,
   * when the scene is stopped, and with the error of `ask`.
   */
  async until<T>(
    what: string,
    ask: () => Promise<T | undefined> | T | undefined,
    patience = usualPatience,
  ): Promise<T> {
    const deadline = performance.now() + patience;
    for (;;) {
      this.#check();
      const answer = await this.#ask(ask);
      if (answer !== undefined) return answer;
      if (performance.now() > deadline) throw new Error(`Waited ${patience / 1000} s in vain for ${what}.`);
      await pause(50);
    }
  }

  /** Returns the last lines that each program has printed, for error messages. */
  output(): string {
    const tail = (text: string) => text.trimEnd().split('\n').slice(-15).join('\n  ');
    return this.#running.map(({ name, output }) => `${name} said last:\n  ${tail(output)}`).join('\n');
  }

  /** Stops everything, what was started last first, and deletes the directory. */
  async end(): Promise<void> {
    for (const { child, closed } of this.#running.toReversed()) {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await closed;
      clearTimeout(late);
    }
    process.off('exit', this.#endAtOnce);
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Runs `ask`. If `ask` fails because a program has ended, rejects with the end of that program as the reason. */
  async #ask<T>(ask: () => Promise<T> | T): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      await pause(200);
      this.#check();
      throw error;
    }
  }

  #check(): void {
    this.#stop.throwIfAborted();
    const ended = this.#running.find(({ child }) => child.exitCode !== null || child.signalCode !== null);
    if (ended !== undefined) {
      const { exitCode, signalCode } = ended.child;
      throw new Error(`${ended.name} has ended (${signalCode ?? `code ${exitCode}`}).`);
    }
  }

  /** Kills the programs and deletes the directory synchronously, because an `exit` listener cannot wait. */
  readonly #endAtOnce = (): void => {
    for (const { child } of this.#running) child.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 3 });
  };
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // The program does not answer yet.
    return false;
  }
}
