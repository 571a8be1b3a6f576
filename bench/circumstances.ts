import { execFile } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { promisify } from 'node:util';

/** Where, when and on what code a run was made. */
export interface Circumstances {
  /** ISO 8601, UTC. */
  readonly date: string;
  /** Short hash, or `unknown` outside a checkout. */
  readonly commit: string;
  /** Whether the checkout differs from the commit, results files aside; null outside a checkout. */
  readonly dirty: boolean | null;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly os: string;
    readonly node: string;
    /** Load average over one minute when the run began: what else the machine was doing. */
    readonly loadBefore: number;
  };
}

export async function circumstances(now: Date = new Date()): Promise<Circumstances> {
  const commit = await git('rev-parse', '--short=10', 'HEAD');
  const changes = await git('status', '--porcelain', '--', ':/', ':(exclude,top)bench/results');
  return {
    date: now.toISOString(),
    commit: commit ?? 'unknown',
    dirty: changes === undefined ? null : changes !== '',
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: availableParallelism(),
      memoryBytes: totalmem(),
      os: `${type()} ${release()}`,
      node: process.version,
      loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    },
  };
}

/** What git prints, or undefined when there is no git or no checkout here. */
async function git(...args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: import.meta.dirname });
    return stdout.trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 128)) return undefined;
    throw error;
  }
}
