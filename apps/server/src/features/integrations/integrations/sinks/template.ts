import { maxRenderedLength, maxTemplateLength, splitTemplate, type TemplatePart } from '#kernel/template-tags.ts';

/**
 * A subset of Mustache (mustache(5)): `{{a.b}}`, `{{{a.b}}}`, `{{&a.b}}`, `{{#a}}…{{/a}}`, `{{^a}}…{{/a}}` and
 * `{{! comment }}`. Users write templates that the server runs, so there are no functions and no partials, and names
 * resolve only to own properties of the JSON view.
 */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly raw: boolean }
  | { readonly kind: 'section' | 'inverted'; readonly path: readonly string[]; readonly parts: readonly Part[] };

const name = /^(\.|[\w$-]+(\.[\w$-]+)*)$/;
const signs = /^[#^/&!]/;
const maxParts = 1000;
const maxSteps = 100_000;

/** Escapes a value for its place in the body, such as inside the quotes of a JSON string. */
export type Escape = (text: string) => string;

/** Compiles a template. Throws an Error that says what is wrong with the text. */
export function compile(text: string): (view: unknown, escapeText: Escape) => string {
  const parts = parse(text);
  return (view, escapeText) => {
    const out = { text: '', steps: 0 };
    render(parts, [view], escapeText, out);
    return out.text;
  };
}

function parse(text: string): Part[] {
  if (text.length > maxTemplateLength) throw new Error(`must have at most ${maxTemplateLength} characters`);
  const root: Part[] = [];
  const open: { readonly path: string; readonly parts: Part[] }[] = [];
  let count = 0;
  const add = (part: Part) => {
    if (++count > maxParts) throw new Error(`has more than ${maxParts} tags`);
    (open.at(-1)?.parts ?? root).push(part);
  };
  const { parts, rest } = splitTemplate(text, { tripleBraces: true });
  for (const { before, ...tag } of parts) {
    const { sign, path } = read(tag);
    add({ kind: 'text', text: before });
    if (sign === '!') continue;
    if (!name.test(path)) {
      const written = tag.isTriple ? `{{{${tag.inner}}}}` : `{{${tag.inner}}}`;
      throw new Error(`has a tag without a valid name: ${written.slice(0, 50)}`);
    }
    if (sign === '#' || sign === '^') {
      const inside: Part[] = [];
      add({ kind: sign === '#' ? 'section' : 'inverted', path: splitPath(path), parts: inside });
      open.push({ path, parts: inside });
    } else if (sign === '/') {
      if (open.pop()?.path !== path) throw new Error(`closes {{/${path}}}, which is not open`);
    } else add({ kind: 'value', path: splitPath(path), raw: sign === '&' });
  }
  add({ kind: 'text', text: rest });
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw new Error(`does not close {{#${unclosed.path}}}`);
  return root;
}

/** Reads a tag; `{{{path}}}` is the same as `{{&path}}`. */
function read({ inner, isTriple }: Pick<TemplatePart, 'inner' | 'isTriple'>) {
  if (isTriple) return { sign: '&', path: inner.trim() };
  const sign = signs.test(inner) ? inner.charAt(0) : '';
  return { sign, path: inner.slice(sign.length).trim() };
}

function splitPath(path: string): string[] {
  return path === '.' ? [] : path.split('.');
}

function render(
  parts: readonly Part[],
  views: readonly unknown[],
  escapeText: Escape,
  out: { text: string; steps: number },
): void {
  for (const part of parts) {
    if (out.text.length > maxRenderedLength || ++out.steps > maxSteps)
      throw new Error(`renders more than ${maxRenderedLength} characters or ${maxSteps} steps`);
    if (part.kind === 'text') out.text += part.text;
    else if (part.kind === 'value') {
      const text = textOf(find(part.path, views));
      out.text += part.raw ? text : escapeText(text);
    } else {
      const value = find(part.path, views);
      const isEmpty = value === undefined || value === null || value === false || value === '' || value === 0;
      const items = Array.isArray(value) ? value : isEmpty ? [] : [value];
      if (part.kind === 'inverted' && items.length === 0) render(part.parts, views, escapeText, out);
      if (part.kind === 'section') for (const item of items) render(part.parts, [...views, item], escapeText, out);
    }
  }
}

/** Returns the value at a path. Starts in the innermost view that has the first key of the path. */
function find(path: readonly string[], views: readonly unknown[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return views.at(-1);
  const view = views.findLast((candidate) => ownField(candidate, first) !== undefined);
  return rest.reduce(ownField, ownField(view, first));
}

function ownField(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
