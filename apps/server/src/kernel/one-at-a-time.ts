/** Lets pieces of work through one after the other, in the order they came. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    // The next one waits for this one to end, however it ends; its failure is its caller's.
    last = turn.catch(() => undefined);
    return turn;
  };
}
