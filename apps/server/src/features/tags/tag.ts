/** A word that flags can be found by, of a type that says what kind of word it is. */
export interface Tag {
  readonly type: string;
  readonly value: string;
}

export interface TagType {
  readonly name: string;
  readonly description: string;
  readonly icon: string | null;
  /** Such as #00aa7f. */
  readonly color: string | null;
}

/** Each tag once, in the order in which they first come. */
export function distinct(tags: readonly Tag[]): Tag[] {
  const seen = new Set<string>();
  return tags.filter(({ type, value }) => {
    const key = JSON.stringify([type, value]);
    return seen.size < seen.add(key).size;
  });
}

export function holds(tags: readonly Tag[], { type, value }: Tag): boolean {
  return tags.some((one) => one.type === type && one.value === value);
}
