import { Problem } from '../../../kernel/errors.ts';
import { maxTemplateLength, templateTags } from '../../../kernel/template-tags.ts';
import { pathProblem, textAt } from './path.ts';

/**
 * `{{path}}`: the text that stands at the path in the payload, or {@link NamedRun one of the run}. There is nothing else to a
 * template: no code, no second pass.
 */
interface Part {
  /** The text before the tag. */
  readonly before: string;
  readonly path: string;
}

/** The run that a template is filled in for: `{{run.id}}` and `{{run.url}}`, whatever the payload has there. */
export interface NamedRun {
  readonly id: number;
  /** The page of the run. */
  readonly url: string;
}

const runPaths: ReadonlyMap<string, keyof NamedRun> = new Map([
  ['run.id', 'id'],
  ['run.url', 'url'],
]);

/** Longest text that a template becomes; the longest parameter is a fifth of it. */
const maxRenderedLength = 1_000_000;

/** Whether anything of a parameter comes from the payload. */
export function isTemplate(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/** The paths that a template names. */
export function pathsIn(template: string): string[] {
  return split(template).parts.map(({ path }) => path);
}

/** Whether a template names the run, which is another one each time. */
export function namesRun(template: string): boolean {
  return pathsIn(template).some((path) => runPaths.has(path));
}

/** What is wrong with the text of a template; undefined when nothing is. */
export function templateProblem(template: string): string | undefined {
  if (template.length > maxTemplateLength)
    return `must have at most ${maxTemplateLength} characters, and has ${template.length}`;
  const { parts, rest } = split(template);
  const text = parts.map(({ before }) => before).join('') + rest;
  if (text.includes('{{')) return 'must close each {{ with }}';
  for (const { path } of parts) {
    const problem = pathProblem(path);
    if (problem !== undefined) return `names no path with {{${path.slice(0, 50)}}}: it ${problem}`;
  }
  return undefined;
}

/** A template with some text for whatever comes from the payload. */
export function sampleOf(template: string): string {
  const { parts, rest } = split(template);
  return parts.map(({ before }) => `${before}x`).join('') + rest;
}

/**
 * A template with what the payload and the run have, as `quote` has it stand there. A 400 that names the path at which it has nothing, or the
 * longest text that a template may become: never a wrong text instead.
 */
export function render(
  template: string,
  { payload, run }: { readonly payload: unknown; readonly run: NamedRun },
  quote: (text: string) => string = (text) => text,
): string {
  const { parts, rest } = split(template);
  let rendered = '';
  for (const { before, path } of parts) {
    const ofRun = runPaths.get(path);
    const text = ofRun === undefined ? textAt(payload, path) : String(run[ofRun]);
    if (text === undefined || text === '') throw new Problem('BadDataError', `The payload has nothing at ${path}.`);
    rendered += before + quote(text);
    if (rendered.length > maxRenderedLength)
      throw new Problem('BadDataError', `The payload makes a parameter longer than ${maxRenderedLength} characters.`);
  }
  return rendered + rest;
}

/** The two braces next to a path are its tag; any further ones are text. */
function split(template: string): { readonly parts: readonly Part[]; readonly rest: string } {
  const parts: Part[] = [];
  let end = 0;
  for (const { inner, start } of templateTags(template)) {
    parts.push({ before: template.slice(end, start - 2), path: inner.trim() });
    end = start + inner.length + 2;
  }
  return { parts, rest: template.slice(end) };
}
