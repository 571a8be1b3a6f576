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
