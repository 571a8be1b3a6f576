import { readdirSync, readFileSync } from 'node:fs';

/** A process of this machine, as far as /proc shows it to us. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** True when `mark` is in the environment that the process was started with. */
  readonly marked: boolean;
}

function read(pid: number, mark: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in parentheses may hold spaces and parentheses itself: state and parent follow the last one.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return {
      pid,
      parent: Number(parent),
      command,
      marked: readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark),
    };
  } catch {
    // It ended while we looked, or belongs to another user: it cannot be one of ours either way.
    return undefined;
  }
}

/**
 * Returns the living processes that this process started, directly or through others: its descendants, and processes
 * with `mark` in their environment, because an orphan is no descendant any more. Returns none where there is no /proc.
 */
export function startedHere(mark: string): Process[] {
  const pids = process.platform === 'linux' ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
  const all = pids.map((pid) => read(pid, mark)).filter((entry) => entry !== undefined);
  const below = new Set([process.pid]);
  // The list may name children before their parents, so repeat until no process is added.
  for (let before = 0; before !== below.size; ) {
    before = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  return all.filter(({ pid, marked }) => pid !== process.pid && (marked || below.has(pid)));
}

/** Kills the processes with SIGKILL; ignores processes that have ended meanwhile. */
export function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}
