/** Creates a mutex: runs work one after the other, in the order of the calls. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    // The next call starts after this call has settled; the rejection is reported to this caller only.
    last = turn.catch(() => undefined);
    return turn;
  };
}
