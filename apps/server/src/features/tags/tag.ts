/** A word that flags can be found by, of a type that says what kind of word it is. */
export interface Tag {
  readonly type: string;
  readonly value: string;
}

export interface ColoredTag extends Tag {
  /** Such as #00aa7f. */
  readonly color: string | null;
}

/** A tag to create when there is none; without a colour unless one is given. */
export interface NewTag extends Tag {
  readonly color?: string | null | undefined;
}

export interface TagType {
  readonly name: string;
  readonly description: string;
  readonly icon: string | null;
  /** Such as #00aa7f. */
  readonly color: string | null;
}

/** A tag as events tell of it: what it is, and its colour when it has one. */
export function tagEventData({ type, value, color }: ColoredTag): Record<string, string> {
  return { type, value, ...(color === null ? {} : { color }) };
}

/** What tags are, whatever else is known of them. */
export function plain(tags: readonly Tag[]): Tag[] {
  return tags.map(({ type, value }) => ({ type, value }));
}

/** Each tag once, in the order in which they first come. */
export function distinct<T extends Tag>(tags: readonly T[]): T[] {
  const seen = new Set<string>();
  return tags.filter(({ type, value }) => {
    const key = JSON.stringify([type, value]);
    return seen.size < seen.add(key).size;
  });
}

export function holds(tags: readonly Tag[], { type, value }: Tag): boolean {
  return tags.some((one) => one.type === type && one.value === value);
}
