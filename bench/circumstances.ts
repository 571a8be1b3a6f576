import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { promisify } from 'node:util';

/** The time, the commit and the machine of a run. */
export interface Circumstances {
  /** ISO 8601, UTC. */
  readonly date: string;
  /** Short hash, or `unknown` outside a checkout. */
  readonly commit: string;
  /** True when the checkout has changes in other files than results; null outside a checkout. */
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

/** Processor time of the machine since it was started, in ticks. */
export interface ProcessorTime {
  readonly all: number;
  /** Processor time that other machines used on the same hardware while this machine had work to do. */
  readonly stolen: number;
}

/** Reads {@link ProcessorTime} from /proc/stat; returns undefined on systems other than Linux. */
export async function processorTime(): Promise<ProcessorTime | undefined> {
  if (type() !== 'Linux') return undefined;
  const [, ...ticks] = (await readFile('/proc/stat', 'utf8')).split('\n', 1)[0]?.split(/\s+/).map(Number) ?? [];
  // The last two numbers, guest and guest_nice, are already counted in the first two, user and nice.
  const all = ticks.slice(0, 8).reduce((sum, tick) => sum + tick, 0);
  return { all, stolen: ticks[7] ?? 0 };
}

/** Returns which share of the processor time between two readings was stolen, 0 to 1; undefined without readings. */
export function stolenShare(before: ProcessorTime | undefined, after: ProcessorTime | undefined): number | undefined {
  if (before === undefined || after === undefined || after.all === before.all) return undefined;
  return (after.stolen - before.stolen) / (after.all - before.all);
}

/** Returns the output of git, or undefined without git or outside a checkout. */
async function git(...args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: import.meta.dirname });
    return stdout.trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 128)) return undefined;
    throw error;
  }
}
