import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { killWithUs } from '../children.ts';
import { assertBounded, type LoadJob, type LoadResult } from './job.ts';

const workerFile = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** Time for starting the process, connecting and printing, in addition to the time of the job itself. */
const marginMs = 15_000;

/**
 * Runs a job in a process of its own, so that generator and server do not share an event loop. Rejects with the output
 * of the process when it fails, and kills the process when it exceeds the time of the job. Leaves no process behind.
 */
export async function generateLoad(job: LoadJob): Promise<LoadResult> {
  assertBounded(job);
  const child = spawn(process.execPath, [workerFile], { stdio: ['pipe', 'pipe', 'pipe'] });
  const release = killWithUs(child);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), longestMs(job) + marginMs);
  try {
    const exited = new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(signal ?? String(code)));
    });
    // A process that dies at once breaks the pipe. Its stderr is the better message, and `exited` rejects with that.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(JSON.stringify(job));
    const [outcome, output, complaint] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
    if (outcome !== '0') throw new Error(`The load generator ended with ${outcome}: ${complaint.trim()}`);
    return JSON.parse(output);
  } finally {
    clearTimeout(tooLong);
    release();
  }
}

function longestMs(job: LoadJob): number {
  const afterMs = job.kind === 'open' ? job.drainMs : job.timeoutMs;
  return job.warmupMs + job.durationMs + (afterMs ?? 10_000);
}
