import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

/** Interpreters, and the Debian packages that contain them and the libraries of the programs. */
const interpreters = {
  ruby: { path: process.env.RUBY ?? '/usr/bin/ruby', packages: 'ruby-unleash' },
  // A Python from elsewhere does not find the libraries of Debian's packages.
  python: { path: process.env.PYTHON ?? '/usr/bin/python3', packages: 'python3 python3-urllib3' },
};

/** A running program that prints one JSON value a line. */
export interface Program {
  /** Writes `value` as a line of JSON to the program. */
  send(value: unknown): void;
  /** Returns the next value that the program prints. Rejects when the program ends instead. */
  next<T>(): Promise<T>;
}

export type StartProgram = (
  language: keyof typeof interpreters,
  file: string,
  variables: Readonly<Record<string, string>>,
) => Program;

/** Returns a function that starts programs of this folder. They are ended after each test. */
export function usePrograms(): StartProgram {
  const children: ChildProcessByStdio<Writable, Readable, null>[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
  });
  return (language, file, variables) => {
    const { path, packages } = interpreters[language];
    const script = fileURLToPath(new URL(file, import.meta.url));
    const child = spawn(path, [script], {
      env: { ...process.env, ...variables },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    const missing = new Error(`${path} ${file} has ended. On Debian it needs: apt-get install ${packages}`);
    // Stored as the cause of the error with which `next` rejects.
    child.on('error', (error) => {
      missing.cause = error;
    });
    child.stdin.on('error', (error) => {
      missing.cause = error;
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return {
      send: (value) => void child.stdin.write(`${JSON.stringify(value)}\n`),
      next: async () => {
        const { done, value } = await lines.next();
        if (done === true) throw missing;
        return JSON.parse(value);
      },
    };
  };
}
