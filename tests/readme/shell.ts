import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import type { TestServer } from '../../apps/server/testing/server.ts';

/** Returns the text of a file of the repository. */
export const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Returns the shell blocks of a page, in order. */
export const shellBlocksOf = (text: string) =>
  [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block as string);

/**
 * Makes a directory, and returns functions that run shell commands there. They replace the address in the guides by
 * that of the server.
 */
export function useShell(server: () => TestServer, variables: Readonly<Record<string, string>>) {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'yardarm-readme-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  const atServer = (text: string) => text.replaceAll('http://localhost:4242', server().url);
  /** Returns the output of the script; rejects when one of its commands fails. */
  const bash = async (script: string) => {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', atServer(script)], {
      cwd: directory,
      env: { ...process.env, ...variables },
    });
    return stdout;
  };
  return { directory: () => directory, atServer, bash };
}
