import { maxTemplateLength, type TemplateTag, templateTags } from '../../kernel/template-tags.ts';

/**
 * Bodies written with the tags of Mustache (mustache(5)): `{{a.b}}`, `{{{a.b}}}`, `{{&a.b}}`, `{{#a}}…{{/a}}`,
 * `{{^a}}…{{/a}}` and `{{! comment }}`. A subset of our own, because templates are written by people and run here: no
 * functions, no partials, and names reach own fields of JSON alone.
 */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly raw: boolean }
  | { readonly kind: 'section' | 'inverted'; readonly path: readonly string[]; readonly parts: readonly Part[] };

const name = /^(\.|[\w$-]+(\.[\w$-]+)*)$/;
const signs = /^[#^/&!]/;
const mostParts = 1000;
const longest = 1_000_000;
const mostSteps = 100_000;

/** Makes text stand where the body is written, such as inside the quotes of JSON. */
export type Quote = (text: string) => string;

/** A template that can be rendered. Throws an Error that says what is wrong with the text. */
export function compile(text: string): (view: unknown, quote: Quote) => string {
  const parts = parse(text);
  return (view, quote) => {
    const out = { text: '', steps: 0 };
    render(parts, [view], quote, out);
    return out.text;
  };
}

function parse(text: string): Part[] {
  if (text.length > maxTemplateLength) throw new Error(`must have at most ${maxTemplateLength} characters`);
  const root: Part[] = [];
  const open: { readonly path: string; readonly parts: Part[] }[] = [];
  let [end, count] = [0, 0];
  const add = (part: Part) => {
    if (++count > mostParts) throw new Error(`has more than ${mostParts} tags`);
    (open.at(-1)?.parts ?? root).push(part);
  };
  for (const tag of templateTags(text)) {
    const { sign, path, width } = read(tag);
    const start = tag.start - width;
    add({ kind: 'text', text: text.slice(end, start) });
    end = tag.start + tag.inner.length + width;
    if (sign === '!') continue;
    if (!name.test(path)) throw new Error(`has a tag that names nothing: ${text.slice(start, end).slice(0, 50)}`);
    if (sign === '#' || sign === '^') {
      const inside: Part[] = [];
      add({ kind: sign === '#' ? 'section' : 'inverted', path: keysOf(path), parts: inside });
      open.push({ path, parts: inside });
    } else if (sign === '/') {
      if (open.pop()?.path !== path) throw new Error(`closes {{/${path}}} where it is not open`);
    } else add({ kind: 'value', path: keysOf(path), raw: sign === '&' });
  }
  add({ kind: 'text', text: text.slice(end) });
  const left = open.at(-1);
  if (left !== undefined) throw new Error(`does not close {{#${left.path}}}`);
  return root;
}

/** `{{{path}}}` says what `{{&path}}` does. `width`: how many of the braces on each side belong to the tag. */
function read({ inner, opened, closed }: TemplateTag) {
  if (opened >= 3 && closed >= 3) return { sign: '&', path: inner.trim(), width: 3 };
  const sign = signs.test(inner) ? inner.charAt(0) : '';
  return { sign, path: inner.slice(sign.length).trim(), width: 2 };
}

function keysOf(path: string): string[] {
  return path === '.' ? [] : path.split('.');
}

function render(
  parts: readonly Part[],
  views: readonly unknown[],
  quote: Quote,
  out: { text: string; steps: number },
): void {
  for (const part of parts) {
    if (out.text.length > longest || ++out.steps > mostSteps) throw new Error('becomes too long');
    if (part.kind === 'text') out.text += part.text;
    else if (part.kind === 'value') {
      const text = textOf(find(part.path, views));
      out.text += part.raw ? text : quote(text);
    } else {
      const value = find(part.path, views);
      const isEmpty = value === undefined || value === null || value === false || value === '' || value === 0;
      const items = Array.isArray(value) ? value : isEmpty ? [] : [value];
      if (part.kind === 'inverted' && items.length === 0) render(part.parts, views, quote, out);
      if (part.kind === 'section') for (const item of items) render(part.parts, [...views, item], quote, out);
    }
  }
}

/** The value of the innermost view that has the first key. */
function find(path: readonly string[], views: readonly unknown[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return views.at(-1);
  const view = views.findLast((one) => own(one, first) !== undefined);
  return rest.reduce(own, own(view, first));
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
