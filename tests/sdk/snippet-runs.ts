import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterEach } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));

/** How a snippet is started: a program with its arguments, in a folder that has the packages. */
interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
}

type Start = (code: string, directory: string) => Command;

/** Returns how to run a snippet as a module of Node, which finds the packages in `folder`. */
function inNode(folder: string, ...flags: readonly string[]): Start {
  return (code) => ({
    program: process.execPath,
    args: [...flags, '--input-type=module', '-e', code],
    folder: join(here, folder),
  });
}

/** Compiles JSX to plain JavaScript. */
function withoutJsx(code: string): string {
  const { ES2023: target } = ts.ScriptTarget;
  const options = { jsx: ts.JsxEmit.ReactJSX, target, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(code, { compilerOptions: options, fileName: 'snippet.jsx' }).outputText;
}

function inRuby(code: string, directory: string): Command {
  const [file, unbuffered] = [join(directory, 'snippet.rb'), join(directory, 'unbuffered.rb')];
  writeFileSync(file, code);
  // Ruby writes each line at once only to a terminal.
  writeFileSync(unbuffered, '$stdout.sync = true');
  return { program: process.env.RUBY ?? '/usr/bin/ruby', args: ['-r', unbuffered, file], folder: directory };
}

/** How to start the snippets that the tests run, by the id of the language. */
export const starts: Readonly<Record<string, Start>> = {
  node: inNode('.'),
  browser: inNode('.'),
  react: (code, directory) => inNode('react', '--import', './dom.ts')(withoutJsx(code), directory),
  ruby: inRuby,
  'ofrep-web': inNode('.'),
  'ofrep-server': inNode('openfeature-server'),
  curl: (code, directory) => ({ program: 'bash', args: ['-euo', 'pipefail', '-c', code], folder: directory }),
};

/** A started snippet. */
export interface RunningSnippet {
  /** Returns the first line of the output that matches. Rejects when the program ends without it. */
  line(pattern: RegExp): Promise<string>;
}

/** Returns a function that starts snippets; they are ended after each test. */
export function useSnippets(): (id: string, code: string) => RunningSnippet {
  const running: { readonly child: ChildProcess; readonly directory: string }[] = [];
  afterEach(async () => {
    for (const { child, directory } of running.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      rmSync(directory, { recursive: true });
    }
  });
  return (id, code) => {
    const start = starts[id];
    if (start === undefined) throw new Error(`no way to start the snippet ${id} is in snippet-runs.ts`);
    const directory = mkdtempSync(join(tmpdir(), 'yardarm-snippet-'));
    const { program, args, folder } = start(code, directory);
    // SDKs store the flags that they received in the directory for temporary files.
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, TMPDIR: directory, NODE_DISABLE_COMPILE_CACHE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push({ child, directory });
    const errors: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    child.on('error', (error) => errors.push(error.message));
    return {
      line: async (pattern) => {
        const seen: string[] = [];
        for await (const line of createInterface(child.stdout)) {
          if (pattern.test(line)) return line;
          seen.push(line);
        }
        throw new Error(`the snippet ${id} ended without ${pattern}: ${[...seen, ...errors].join('\n')}`);
      },
    };
  };
}
