import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { killWithUs } from '../children.ts';
import type { ReadersOrder, ReadersReport } from './worker.ts';

const workerFile = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Streams that are open, in a process of their own. Leaving an `await using` closes them. */
export interface Readers extends AsyncDisposable {
  /** Returns when the next change reached each reader, in milliseconds since 1970. Rejects after half a minute. */
  nextChange(): Promise<readonly number[]>;
}

const timeoutMs = 30_000;

/** Opens so many streams of a server; resolves when each is open. */
export async function openReaders(order: {
  readonly origin: string;
  readonly path: string;
  readonly authorization: string;
  readonly count: number;
  /** A text by which a reader sees that its stream is open. */
  readonly opening: string;
  /** A text in each message of a change. */
  readonly change: string;
}): Promise<Readers> {
  const child = fork(workerFile);
  const release = killWithUs(child);
  const ask = async (what: ReadersOrder): Promise<ReadersReport> => {
    const answered = once(child, 'message', { signal: AbortSignal.timeout(timeoutMs) });
    child.send(what);
    const [report] = (await answered) as [ReadersReport];
    if ('failed' in report) throw new Error(`Reading streams failed: ${report.failed}`);
    return report;
  };
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    }
    release();
  };
  try {
    const { origin, count, ...rest } = order;
    await ask({ open: count, port: Number(new URL(origin).port), ...rest });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    nextChange: async () => {
      const report = await ask({ waitForChange: true });
      if (!('arrivals' in report)) throw new Error('The readers reported no arrivals');
      return report.arrivals;
    },
    [Symbol.asyncDispose]: close,
  };
}
