import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

/** Interpreters with the libraries of the programs. One from elsewhere does not find those of Debian's packages. */
const interpreters = {
  ruby: process.env.RUBY ?? '/usr/bin/ruby',
  python: process.env.PYTHON ?? '/usr/bin/python3',
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
    const path = interpreters[language];
    const script = fileURLToPath(new URL(file, import.meta.url));
    const child = spawn(path, [script], {
      env: { ...process.env, ...variables },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    const ended = new Error(`${path} ${file} has ended`);
    // Stored as the cause of the error with which `next` rejects.
    child.on('error', (error) => {
      ended.cause = error;
    });
    child.stdin.on('error', (error) => {
      ended.cause = error;
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return {
      send: (value) => void child.stdin.write(`${JSON.stringify(value)}\n`),
      next: async () => {
        const { done, value } = await lines.next();
        if (done === true) throw ended;
        return JSON.parse(value);
      },
    };
  };
}
