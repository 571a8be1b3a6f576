/** Returns the item at an index. Throws when the list is shorter, or when a group of a pattern did not match. */
export function itemAt<Item>(list: readonly (Item | undefined)[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new RangeError(`The list has no item ${index}: its length is ${list.length}.`);
  return item;
}

/** Returns the first item of a list. Throws when the list is empty. */
export function firstOf<Item>(list: readonly (Item | undefined)[]): Item {
  return itemAt(list, 0);
}
