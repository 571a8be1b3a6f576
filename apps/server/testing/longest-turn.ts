/**
 * Runs `work` and returns its result with the longest turn of the event loop meanwhile, in milliseconds of CPU time of
 * this thread: how long the server in this process kept every other request waiting, however busy the machine is.
 */
export async function withLongestTurn<T>(work: () => Promise<T>): Promise<{ result: T; longestTurnMs: number }> {
  let last = cpuMs();
  let longestTurnMs = 0;
  let running = true;
  const measure = () => {
    const now = cpuMs();
    longestTurnMs = Math.max(longestTurnMs, now - last);
    last = now;
    if (running) setImmediate(measure);
  };
  setImmediate(measure);
  try {
    const result = await work();
    return { result, longestTurnMs };
  } finally {
    running = false;
  }
}

/**
 * Runs `work` until its longest turn is shorter than `ms`, three times at most, and returns the result of the last run.
 * Code that blocks the event loop does so in each run; a garbage collection does not.
 */
export async function withTurnsBelow<T>(ms: number, work: () => Promise<T>) {
  let last = await withLongestTurn(work);
  for (let again = 0; again < 2 && last.longestTurnMs >= ms; again++) last = await withLongestTurn(work);
  return last;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
