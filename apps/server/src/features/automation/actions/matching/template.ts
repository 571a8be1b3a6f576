import { Problem } from '#kernel/errors.ts';
import { pathProblem, textAt } from '#kernel/payload-path.ts';
import { maxRenderedLength, maxTemplateLength, splitTemplate } from '#kernel/template-tags.ts';

// `{{path}}` is replaced by the text at a path of the payload, or by a value of the run. Templates have no code and are
// rendered in one pass.

/** The values `{{run.id}}` and `{{run.url}}`, which hide payload fields of the same path. */
export interface RunValues {
  readonly id: number;
  /** The address of the page of the run. */
  readonly url: string;
}

const runPaths: ReadonlyMap<string, keyof RunValues> = new Map([
  ['run.id', 'id'],
  ['run.url', 'url'],
]);

/** Returns whether a parameter contains a template tag. */
export function isTemplate(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/** Returns the paths that a template names. */
export function templatePaths(template: string): string[] {
  return split(template).parts.map(({ path }) => path);
}

/** Returns whether a template contains a value of the run, which differs in every run. */
export function usesRunValues(template: string): boolean {
  return templatePaths(template).some((path) => runPaths.has(path));
}

/** Returns what is wrong with a template, or undefined. */
export function templateProblem(template: string): string | undefined {
  if (template.length > maxTemplateLength)
    return `must have at most ${maxTemplateLength} characters, but has ${template.length}`;
  const { parts, rest } = split(template);
  const text = parts.map(({ before }) => before).join('') + rest;
  if (text.includes('{{')) return 'must close each {{ with }}';
  for (const { path } of parts) {
    const problem = pathProblem(path);
    if (problem !== undefined) return `has an invalid path in {{${path.slice(0, 50)}}}: it ${problem}`;
  }
  return undefined;
}

/** Renders a template with sample text in place of every value. */
export function fillWithSample(template: string): string {
  const { parts, rest } = split(template);
  return parts.map(({ before }) => `${before}x`).join('') + rest;
}

/**
 * Renders a template with the values of the payload and the run, escaped by `escapeText`. Throws a 400 that names the
 * path without a value, or when the result is too long.
 */
export function render(
  template: string,
  { payload, run }: { readonly payload: unknown; readonly run: RunValues },
  escapeText: (text: string) => string = (text) => text,
): string {
  const { parts, rest } = split(template);
  let rendered = '';
  for (const { before, path } of parts) {
    const runField = runPaths.get(path);
    const text = runField === undefined ? textAt(payload, path) : String(run[runField]);
    if (text === undefined || text === '') throw new Problem('BadDataError', `The payload has no text at ${path}.`);
    rendered += before + escapeText(text);
    if (rendered.length > maxRenderedLength)
      throw new Problem(
        'BadDataError',
        `A parameter is longer than ${maxRenderedLength} characters after values from the payload are filled in.`,
      );
  }
  return rendered + rest;
}

function split(template: string) {
  const { parts, rest } = splitTemplate(template, { tripleBraces: false });
  return { parts: parts.map(({ before, inner }) => ({ before, path: inner.trim() })), rest };
}
