import { Problem } from '../../../kernel/errors.ts';

/** The tag that `type:value` names; a 400 for what is none. */
export function tagOf(text: string): { readonly type: string; readonly value: string } {
  const colon = text.indexOf(':');
  const [type, value] = [text.slice(0, colon), text.slice(colon + 1)];
  if (colon < 1 || value.trim() === '')
    throw new Problem('BadDataError', `${text} is not a tag such as simple:checkout.`);
  return { type, value };
}
