import { ApiError } from './api.ts';

/** Returns an error as a sentence for the user. */
export function errorMessage(error: unknown): string {
  // The user reads this after the next login, because the login dialog opens by itself.
  if (hasEnded(error)) return 'Your session has ended. Try again.';
  if (error instanceof TypeError) return 'The server cannot be reached. Try again in a moment.';
  return error instanceof Error ? error.message : String(error);
}

/** Returns an error of a form as a sentence for the user. It says that the input is kept. */
export function formErrorMessage(error: unknown): string {
  if (hasEnded(error)) return 'Your session has ended and nothing was saved. Your input is still here: try again.';
  if (error instanceof TypeError)
    return 'The server cannot be reached. Your input is still here: try again in a moment.';
  return errorMessage(error);
}

/** Returns whether a request was refused because the session has ended. */
function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'AuthenticationRequired';
}

/**
 * Turns an error of a field, such as "is taken", into a sentence. Leaves out the path, because the message is shown at
 * its field.
 */
function asSentence(text: string, path: string | undefined): string {
  const named = path !== undefined && text.startsWith(path);
  const message = named ? text.slice(path.length).replace(/^[:\s]+/, '') : text;
  const begun = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** Removes the prefix `payload.`, which the fields have in errors of a change request, but not in forms. */
const ofForm = (path: string) => path.replace(/^payload\./, '');

/** Returns the error with its paths renamed to the fields of a form. */
export function withRenamedPaths(error: unknown, nameOf: (path: string) => string): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, kind: name, message, details } = error;
  return new ApiError(status, {
    name,
    message,
    details: details.map(({ path, message: text }) =>
      path === undefined ? { message: text } : { message: asSentence(text, path), path: nameOf(path) },
    ),
  });
}

/** Returns the error at a path or below it: for `values`, also the error at `values.1`. */
export function problemAt(problems: Readonly<Record<string, unknown>>, path: string): string | undefined {
  const found = Object.keys(problems).find((key) => key === path || key.startsWith(`${path}.`));
  const problem = found === undefined ? undefined : problems[found];
  return typeof problem === 'string' ? problem : undefined;
}

/** Puts the part of the field that a message is about before the message. List indexes are left out. */
function within(part: string, message: string): string {
  return part === '' || /^\d+$/.test(part) ? message : `${part}: ${message}`;
}

/** Returns the errors by form field; `rest` is a message that belongs to no field. */
export function errorsByField(
  error: unknown,
  fields: readonly string[],
): { readonly fields: Readonly<Record<string, string>>; readonly rest: string | undefined } {
  const found: Record<string, string> = {};
  let rest: string | undefined;
  const details = error instanceof ApiError ? error.details : [];
  for (const { path, message } of details) {
    const formPath = path === undefined ? undefined : ofForm(path);
    const field = fields.find((name) => formPath === name || formPath?.startsWith(`${name}.`) === true);
    if (field === undefined) rest ??= message;
    else found[field] ??= within(formPath?.slice(field.length + 1) ?? '', asSentence(message, path));
  }
  if (Object.keys(found).length === 0) rest = formErrorMessage(error);
  return { fields: found, rest };
}

/** Returns the errors by path, for forms with lists: `constraints.0.value`. `rest` is a message without a path. */
export function errorsByPath(error: unknown): {
  readonly paths: Readonly<Record<string, string>>;
  readonly rest: string | undefined;
} {
  const paths: Record<string, string> = {};
  const details = error instanceof ApiError ? error.details : [];
  for (const { path, message } of details) {
    if (path === undefined || path === '') continue;
    paths[ofForm(path)] ??= asSentence(message, path);
  }
  return { paths, rest: Object.keys(paths).length === 0 ? formErrorMessage(error) : undefined };
}
