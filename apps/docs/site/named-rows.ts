import type { Token, Tokens } from 'marked';
import { anchorOf, textOf } from './heading.ts';

/** A row of a reference that describes a name, such as a setting or a metric. */
export interface NamedRow {
  readonly anchor: string;
  /** The first cell. */
  readonly text: string;
  /** The other cells, without numbers and code: names in code have a row of their own. */
  readonly body: string;
  /** The name and its aliases. */
  readonly names: readonly string[];
}

/** The rows of a page that have an anchor, by their cells. */
export type NamedRows = ReadonlyMap<readonly Tokens.TableCell[], NamedRow>;

export const isTable = (token: Token): token is Tokens.Table => token.type === 'table';

export const textOfCells = (cells: readonly Tokens.TableCell[]) => cells.map(({ text }) => text).join(' ');

/**
 * Returns the rows that begin with a name, such as `UNLEASH_SECRET`, and say something about it. A name that has a
 * heading, or an earlier row, has its anchor already.
 */
export function namedRowsOf(parts: readonly Token[]): NamedRows {
  const headings = parts.filter(({ type }) => type === 'heading') as readonly Tokens.Heading[];
  const anchors = new Set(headings.map(({ tokens }) => anchorOf(textOf(tokens))));
  const rows = new Map<readonly Tokens.TableCell[], NamedRow>();
  for (const cells of parts.filter(isTable).flatMap((table) => table.rows)) {
    const [first, ...others] = cells;
    const [name] = first === undefined ? [] : namesIn(first);
    const said = textOfCells(others);
    if (first === undefined || name === undefined || /^(yes|\s)*$/.test(said)) continue;
    const anchor = anchorOf(name);
    if (anchors.has(anchor)) continue;
    anchors.add(anchor);
    const body = said.replace(/`[^`]*`|\b\d+\b/g, ' ');
    rows.set(cells, { anchor, text: textOf(first.tokens), body, names: [...namesIn(first), ...aliasesIn(said)] });
  }
  return rows;
}

/**
 * Returns the name that a cell or a heading begins with: a setting, metric, event type or permission, or the method and
 * path of a route, and then its path too.
 */
export function namesIn({ tokens: [first], text }: Pick<Tokens.Heading, 'tokens' | 'text'>): string[] {
  const name = first?.type === 'codespan' ? String(first.text) : text;
  if (!/^([A-Z]+|\w+([_-]\w+)+|[A-Z]+ \/\S*)$/.test(name)) return [];
  const [, path] = name.split(' ');
  return path === undefined ? [name] : [name, path];
}

/** Returns the names that a row lists after "Also". */
function aliasesIn(said: string): string[] {
  const [also = ''] = /Also `[^`]+`(, `[^`]+`)*/.exec(said) ?? [];
  return [...also.matchAll(/`([^`]+)`/g)].map(([, alias = '']) => alias);
}
