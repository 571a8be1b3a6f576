import { setImmediate } from 'node:timers/promises';

/** The number of items to process before yielding to the event loop: some milliseconds of work on flags. */
const batchSize = 100;

/** Yields to the event loop, so that other requests can proceed. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate();
}

/**
 * Returns a function that schedules `work` for the end of the tick, once for all its calls in that tick.
 * process.nextTick runs `work` after all pending promise callbacks, so every call that does not wait for I/O comes
 * before `work`.
 */
export function oncePerTick(work: () => void): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    process.nextTick(() => {
      isScheduled = false;
      work();
    });
  };
}

/** Maps items one after the other, and yields to the event loop after each hundred. */
export async function mapYielding<T, U>(items: readonly T[], map: (item: T) => U): Promise<U[]> {
  if (items.length <= batchSize) return items.map(map);
  const mapped: U[] = [];
  for await (const page of pagesYielding(items, map)) mapped.push(...page);
  return mapped;
}

/** Generates pages of a hundred mapped items, and yields to the event loop before each further page. */
export async function* pagesYielding<T, U>(items: readonly T[], map: (item: T) => U): AsyncGenerator<U[]> {
  for (let start = 0; start < items.length; start += batchSize) {
    if (start > 0) await yieldToEventLoop();
    yield items.slice(start, start + batchSize).map(map);
  }
}
