import { readFile } from 'node:fs/promises';

/** The resources a process has used so far, without its children. */
export interface ProcessUsage {
  /** Resident memory now and at most, in bytes. */
  readonly rssBytes: number;
  readonly peakRssBytes: number;
  /**
   * Processor time, user and system, in milliseconds to the nearest 10. Per request it is a steadier figure than the
   * throughput on a machine that others use too.
   */
  readonly cpuMs: number;
}

/** Linux counts processor time for /proc in hundredths of a second, independent of its own clock. */
const tickMs = 10;

/** Reads the usage from /proc; undefined without /proc, and for a process that has ended. */
export async function usageOf(pid: number): Promise<ProcessUsage | undefined> {
  const [status, stat] = await Promise.all([readProc(pid, 'status'), readProc(pid, 'stat')]);
  if (status === undefined || stat === undefined) return undefined;
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  // The second field is the program name in parentheses, which may contain spaces; user and system time are 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const usage = {
    rssBytes: bytes('VmRSS'),
    peakRssBytes: bytes('VmHWM'),
    cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
  };
  return Object.values(usage).some(Number.isNaN) ? undefined : usage;
}

async function readProc(pid: number, file: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    // ENOENT: there is no such process, or no /proc. ESRCH: the process ended between opening and reading the file.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined;
    throw error;
  }
}
