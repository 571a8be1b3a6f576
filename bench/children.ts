import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

// The `exit` event is also emitted after process.exit() and an uncaught error. Its listeners must be synchronous.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Kills the child if this process exits before the child does. The returned function cancels this. */
export function killWithUs(child: ChildProcess): () => void {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return () => {
    running.delete(child);
  };
}
