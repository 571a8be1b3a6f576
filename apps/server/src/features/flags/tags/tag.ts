/** A typed label of flags, such as `team:payments`, to search by. */
export interface Tag {
  readonly type: string;
  readonly value: string;
}

export interface ColoredTag extends Tag {
  /** Such as #00aa7f. */
  readonly color: string | null;
}

/** A tag to create if it does not exist, without a color by default. */
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

/** Returns the event data of a tag: type, value and, if set, color. */
export function tagEventData({ type, value, color }: ColoredTag): Record<string, string> {
  return { type, value, ...(color === null ? {} : { color }) };
}

/** Returns only the type and value of each tag. */
export function withoutColors(tags: readonly Tag[]): Tag[] {
  return tags.map(({ type, value }) => ({ type, value }));
}

/** Removes duplicates, keeping the first of each. */
export function distinctTags<T extends Tag>(tags: readonly T[]): T[] {
  const seen = new Set<string>();
  return tags.filter(({ type, value }) => {
    const key = JSON.stringify([type, value]);
    return seen.size < seen.add(key).size;
  });
}

export function includesTag(tags: readonly Tag[], { type, value }: Tag): boolean {
  return tags.some((tag) => tag.type === type && tag.value === value);
}
