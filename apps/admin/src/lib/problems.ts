import { ApiError } from './api.ts';

/** What went wrong, in a sentence for a person. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError)
    return 'The server cannot be reached. What you typed is still here; try again in a moment.';
  return error instanceof Error ? error.message : String(error);
}

/** The server goes on from the name of the field: "is taken". */
function asSentence(message: string): string {
  const begun = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** The server's messages about the fields that a form has, by field; `rest` is what is about none of them. */
export function byField(
  error: unknown,
  fields: readonly string[],
): { readonly fields: Readonly<Record<string, string>>; readonly rest: string | undefined } {
  const found: Record<string, string> = {};
  let rest: string | undefined;
  const details = error instanceof ApiError ? error.details : [];
  for (const { path, message } of details) {
    const field = fields.find((name) => path === name || path?.startsWith(`${name}.`) === true);
    if (field === undefined) rest ??= message;
    else found[field] ??= asSentence(message);
  }
  if (Object.keys(found).length === 0) rest = messageOf(error);
  return { fields: found, rest };
}
