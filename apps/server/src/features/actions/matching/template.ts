import { Problem } from '../../../kernel/errors.ts';
import { pathProblem, textAt } from './path.ts';

/** `{{path}}`: the text that stands at the path in the payload. There is nothing else to a template: no code, no second pass. */
const tag = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Whether anything of a parameter comes from the payload. */
export function isTemplate(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/** The paths that a template names. */
export function pathsIn(template: string): string[] {
  return [...template.matchAll(tag)].map((match) => match[1] ?? '');
}

/** What is wrong with the text of a template; undefined when nothing is. */
export function templateProblem(template: string): string | undefined {
  if (template.replaceAll(tag, '').includes('{{')) return 'must close each {{ with }}';
  for (const path of pathsIn(template)) {
    const problem = pathProblem(path);
    if (problem !== undefined) return `names no path with {{${path}}}: it ${problem}`;
  }
  return undefined;
}

/** A template with some text for whatever comes from the payload. */
export function sampleOf(template: string): string {
  return template.replaceAll(tag, 'x');
}

/**
 * A template with what the payload has, as `quote` has it stand there. A 400 that names the path at which it has nothing: never a
 * wrong text instead.
 */
export function render(template: string, payload: unknown, quote: (text: string) => string = (text) => text): string {
  return template.replaceAll(tag, (_, path: string) => {
    const text = textAt(payload, path);
    if (text === undefined || text === '') throw new Problem('BadDataError', `The payload has nothing at ${path}.`);
    return quote(text);
  });
}
