import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

// `exit` also comes after process.exit and an uncaught error, where nothing asynchronous runs any more.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Kills the child when this process exits before it. The function answered forgets it again. */
export function killWithUs(child: ChildProcess): () => void {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return () => {
    running.delete(child);
  };
}
