import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

/** Returns the path of a file in dist. */
export const built = (name: string) => new URL(`../../dist/${name}`, import.meta.url).pathname;

/** A server that was started as a user would, and the password that it printed. */
export interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  readonly password: string;
}

/** A program with its environment, which has no reference to the repository. */
export interface InstalledProgram {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Returns a new empty folder, which is removed when the file has ended. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'yardarm-package-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a command to its end in a folder and returns what it printed. */
export async function runIn(folder: string, { command, env }: InstalledProgram, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env });
  return stdout;
}

/**
 * Starts the server (or another command that serves, by `args`) in a folder on a free port. Resolves when the server
 * listens and has printed a password.
 */
export async function startIn(
  folder: string,
  { command, env }: InstalledProgram,
  args: readonly string[] = ['start'],
): Promise<Serving> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...env, HTTP_HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [url, password] = ['', ''];
  for await (const line of createInterface(child.stdout)) {
    password = /^ *password +(\S+)/.exec(line)?.[1] ?? password;
    url = /serves on ([^\s,]+)/.exec(line)?.[1] ?? url;
    if (url !== '' && password !== '') return { child, url, password };
  }
  throw new Error('the server ended before it said that it serves');
}

/** Stops a server as a supervisor does, and returns its exit code: null when it was killed. */
export async function stop({ child }: Serving): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  return code;
}
