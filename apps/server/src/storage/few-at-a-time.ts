/** Lets at most `most` pieces of work run at once; the others wait, in the order they came. */
export function fewAtATime(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever waits longest takes this one's place.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
