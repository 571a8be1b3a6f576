/**
 * Creates a mutex by key: work with the same key runs one after the other, in the order of the calls. Concurrent logins
 * with one user name each see the failures of the ones before, and concurrent successful logins of one user are not
 * delayed.
 */
export function createKeyedMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    // The next call starts after this call has settled; the rejection is reported to this caller only.
    const ended = turn.catch(() => undefined);
    last.set(key, ended);
    try {
      return await turn;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
