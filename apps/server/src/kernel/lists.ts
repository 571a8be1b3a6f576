/**
 * Returns the item at an index. Throws when there is none, or when the item is undefined, as a group of a regular
 * expression that did not match is.
 */
export function itemAt<Item>(list: readonly (Item | undefined)[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new RangeError(`The list has no item ${index}: its length is ${list.length}.`);
  return item;
}

/** Returns the first item of a list. Throws when the list is empty or the item is undefined. */
export function firstOf<Item>(list: readonly (Item | undefined)[]): Item {
  return itemAt(list, 0);
}

/** The most names or ids that one statement takes. */
const chunkSize = 1000;
let largestChunk = Number.POSITIVE_INFINITY;

/** Makes all parts of {@link chunksOf} smaller, so that tests see what lies behind the first part. */
export function limitChunks(most: number): void {
  largestChunk = most;
}

/** Yields a list in parts of at most `size` items, in order; none of an empty list. */
export function* chunksOf<Item>(list: readonly Item[], size = chunkSize): Generator<readonly Item[], void> {
  const most = Math.min(size, largestChunk);
  for (let from = 0; from < list.length; from += most) yield list.slice(from, from + most);
}
