import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A limit of the memory of a process and its children, as a container has it. Leaving an `await using` removes it. */
export interface MemoryLimit extends AsyncDisposable {
  /** Returns the command that runs a program within the limit. */
  command(program: string, args: readonly string[]): { readonly command: string; readonly args: readonly string[] };
  /** Returns the most memory charged so far, in bytes: of the process, and of files that it reads and writes. */
  peakBytes(): Promise<number>;
}

const versions = [
  {
    root: '/sys/fs/cgroup/memory',
    mark: 'memory.limit_in_bytes',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
  },
  { root: '/sys/fs/cgroup', mark: 'cgroup.controllers', limit: 'memory.max', peak: 'memory.peak' },
] as const;

/**
 * Makes a memory limit. Throws on a system without Linux control groups, and without the right to create one (mostly
 * root's).
 */
export async function limitMemory(name: string, bytes: number): Promise<MemoryLimit> {
  const version = versions.find(({ root, mark }) => existsSync(join(root, mark)));
  if (version === undefined) throw new Error('memory can be limited only on Linux with control groups');
  const group = join(version.root, name);
  await mkdir(group);
  await writeFile(join(group, version.limit), String(bytes));
  return {
    command: (program, args) => ({
      command: '/bin/sh',
      args: ['-c', `echo $$ > ${join(group, 'cgroup.procs')} && exec "$@"`, 'sh', program, ...args],
    }),
    peakBytes: async () => Number(await readFile(join(group, version.peak), 'utf8')),
    [Symbol.asyncDispose]: () => rmdir(group),
  };
}
