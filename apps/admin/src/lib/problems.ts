import { ApiError } from './api.ts';

/** What went wrong, in a sentence for a person. */
export function messageOf(error: unknown): string {
  // It is read after somebody has logged in again, which the page asks for by itself.
  if (error instanceof ApiError && error.kind === 'AuthenticationRequired')
    return 'Your session had ended, so nothing has changed. What you typed is still here; try again.';
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError)
    return 'The server cannot be reached. What you typed is still here; try again in a moment.';
  return error instanceof Error ? error.message : String(error);
}

/** The server goes on from the name of the field, "is taken", and where it names the path itself, that is at the field already. */
function asSentence(told: string, path: string | undefined): string {
  const named = path !== undefined && told.startsWith(path);
  const message = named ? told.slice(path.length).replace(/^[:\s]+/, '') : told;
  const begun = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** Where a change is asked for, its payload is what the form holds. */
const ofForm = (path: string) => path.replace(/^payload\./, '');

/** The same refusal, with what it is about as the form calls it. */
export function renamed(error: unknown, nameOf: (path: string) => string): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, kind: name, message, details } = error;
  return new ApiError(status, {
    name,
    message,
    details: details.map(({ path, message: told }) =>
      path === undefined ? { message: told } : { message: asSentence(told, path), path: nameOf(path) },
    ),
  });
}

/** What is wrong at a path or below it, of problems by their paths: with `values` also what is wrong at `values.1`. */
export function problemAt(problems: Readonly<Record<string, unknown>>, path: string): string | undefined {
  const found = Object.keys(problems).find((one) => one === path || one.startsWith(`${path}.`));
  const problem = found === undefined ? undefined : problems[found];
  return typeof problem === 'string' ? problem : undefined;
}

/** A message about a part of what a field holds says which part; that of a list is seen without its number. */
function within(part: string, message: string): string {
  return part === '' || /^\d+$/.test(part) ? message : `${part}: ${message}`;
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
    const there = path === undefined ? undefined : ofForm(path);
    const field = fields.find((name) => there === name || there?.startsWith(`${name}.`) === true);
    if (field === undefined) rest ??= message;
    else found[field] ??= within(there?.slice(field.length + 1) ?? '', asSentence(message, path));
  }
  if (Object.keys(found).length === 0) rest = messageOf(error);
  return { fields: found, rest };
}

/**
 * The server's messages by the path of what they are about, for forms with lists: `constraints.0.value`. `rest` is what is
 * about no path.
 */
export function byPath(error: unknown): {
  readonly paths: Readonly<Record<string, string>>;
  readonly rest: string | undefined;
} {
  const paths: Record<string, string> = {};
  const details = error instanceof ApiError ? error.details : [];
  for (const { path, message } of details) {
    if (path === undefined || path === '') continue;
    paths[ofForm(path)] ??= asSentence(message, path);
  }
  return { paths, rest: Object.keys(paths).length === 0 ? messageOf(error) : undefined };
}
