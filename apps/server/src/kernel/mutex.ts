/** Creates a mutex by key: runs work with the same key one after the other, in the order of the calls. */
export function createKeyedMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    const forget = () => {
      if (last.get(key) === turn) last.delete(key);
    };
    last.set(key, turn);
    // The rejection is reported to this caller only.
    turn.then(forget, forget);
    return turn;
  };
}

/** Creates a mutex: runs work one after the other, in the order of the calls. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  const exclusively = createKeyedMutex();
  return (work) => exclusively('', work);
}
