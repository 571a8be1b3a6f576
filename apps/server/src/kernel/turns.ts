import { setImmediate as pause } from 'node:timers/promises';

/** Items that are worked on before other requests get a turn of the event loop: some milliseconds of work on flags. */
const turn = 100;

/** Lets other requests have a turn of the event loop. */
export async function nextTurn(): Promise<void> {
  await pause();
}

/** Maps items one after the other, and lets other requests have a turn after each hundred. */
export async function mapInTurns<T, U>(items: readonly T[], map: (item: T) => U): Promise<U[]> {
  if (items.length <= turn) return items.map(map);
  const mapped: U[] = [];
  for await (const page of pagesInTurns(items, map)) mapped.push(...page);
  return mapped;
}

/** Yields mapped items a hundred at a time, and lets other requests have a turn before each further page. */
export async function* pagesInTurns<T, U>(items: readonly T[], map: (item: T) => U): AsyncGenerator<U[]> {
  for (let start = 0; start < items.length; start += turn) {
    if (start > 0) await pause();
    yield items.slice(start, start + turn).map(map);
  }
}
