/**
 * Runs what has the same key one after the other, in the order it came: of many guesses of one password that are sent at once, each
 * sees the failures of those before it, and a person who logs in many times at once is not taken for a guesser.
 */
export function createLoginTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    // The next one waits for this one to end, however it ends; its failure is its caller's.
    const ended = turn.catch(() => undefined);
    last.set(key, ended);
    try {
      return await turn;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
