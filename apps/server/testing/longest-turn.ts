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

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
