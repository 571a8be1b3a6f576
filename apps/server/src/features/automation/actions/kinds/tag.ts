import { Problem } from '#kernel/errors.ts';

/** Parses a tag of the form `type:value`. Throws a 400 for other text. */
export function parseTag(text: string): { readonly type: string; readonly value: string } {
  const colon = text.indexOf(':');
  const [type, value] = [text.slice(0, colon), text.slice(colon + 1)];
  if (colon < 1 || value.trim() === '')
    throw new Problem('BadDataError', `${text} is not a tag. Write type:value, such as simple:checkout.`);
  return { type, value };
}
