/** The search parameters of a URL. The router parses those that are JSON: `?page=2` is a number here. */
export type Address = Readonly<Record<string, unknown>>;

/** Returns a text that is not blank, also when it is a number in the URL, as in `?query=503`. */
export function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** Returns a positive whole number, as ids are. */
export function idIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Returns the number of a page after the first. The first page has no number in a URL. */
export function pageIn(value: unknown): number | undefined {
  const page = idIn(value);
  return page === 1 ? undefined : page;
}

/** Returns the choice that the value names. */
export function choiceIn<Choice>(choices: readonly Choice[], value: unknown): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** Returns true for `true`, and undefined for any other value: a switch that is off is absent from a URL. */
export function switchIn(value: unknown): true | undefined {
  return value === true ? true : undefined;
}

/** Returns the object without undefined values and empty lists. */
export function known<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const set = Object.entries(values).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(set) as { [K in keyof T]: Exclude<T[K], undefined> };
}
