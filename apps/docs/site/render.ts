import highlighter from 'highlight.js';
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { escapeHtml } from './escape.ts';
import { anchorOf, textOf } from './heading.ts';
import { isTable, type NamedRow, type NamedRows, namedRowsOf, namesIn, textOfCells } from './named-rows.ts';
import { rootPages, servedFiles } from './navigation.ts';
import { htmlPath, type Page, relativePath } from './page.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** The text below a heading, or a row of a reference, for the search. */
export interface Passage {
  /** Absent for the heading of the page. */
  readonly anchor?: string;
  readonly text: string;
  readonly body: string;
  /** The names that the passage describes, such as a setting or a route: on pages of the reference. */
  readonly names: readonly string[];
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

/**
 * Renders a page. Links to other pages of `docs` lead to their HTML; links to other files of the repository are text.
 * Rows of the reference that describe a name get an anchor.
 */
export function render(page: Page): Rendered {
  const headings: Heading[] = [];
  const parts = new Marked().lexer(page.markdown);
  const rows: NamedRows = isReference(page) ? namedRowsOf(parts) : new Map();
  const html = new Marked({ renderer: rendererOf(page, headings, rows) }).parser(parts);
  return { html, headings, passages: [...passagesOf(page, parts, headings, rows), ...rows.values()] };
}

const isReference = ({ path }: Page) => path.startsWith('reference/');

function rendererOf(page: Page, headings: Heading[], rows: NamedRows): RendererObject {
  return {
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens);
      const text = textOf(tokens);
      const repeated = headings.filter((heading) => heading.text === text).length;
      const anchor = repeated === 0 ? anchorOf(text) : `${anchorOf(text)}-${repeated}`;
      headings.push({ level: depth, text, anchor });
      const link =
        depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(text)}">#</a>`;
      return `<h${depth} id="${anchor}">${html}${link}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const html = this.parser.parseInline(tokens);
      const target = siteLink(page.path, href);
      return target === undefined ? html : `<a href="${escapeHtml(target)}">${html}</a>`;
    },
    code({ text, lang }) {
      const language = lang?.split(/\s/)[0] ?? '';
      const known = highlighter.getLanguage(language) !== undefined;
      const html = known ? highlighter.highlight(text, { language }).value : escapeHtml(text);
      return `<pre tabindex="0"><code class="language-${escapeHtml(language || 'text')}">${html}</code></pre>\n`;
    },
    table(token) {
      const html = (cell: Tokens.TableCell) => breakable(this.parser.parseInline(cell.tokens));
      // On a narrow screen a row of several columns is a block, in which each cell but the first names its column.
      const isWide = token.header.length > 2;
      const labelOf = (column: number) =>
        isWide && column > 0 ? ` data-label="${escapeHtml(textOf(token.header[column]?.tokens ?? []))}"` : '';
      const cells = (row: Tokens.TableCell[]) =>
        row.map((cell, column) => `<td${labelOf(column)}>${html(cell)}</td>`).join('');
      const header = token.header.map((cell) => `<th>${html(cell)}</th>`).join('');
      const idOf = (row?: NamedRow) => (row === undefined ? '' : ` id="${row.anchor}"`);
      const lines = token.rows.map((row) => `<tr${idOf(rows.get(row))}>${cells(row)}</tr>`).join('\n');
      const table = `<table><thead><tr>${header}</tr></thead><tbody>${lines}</tbody></table>`;
      return `<div class="table${isWide ? ' columns' : ''}" tabindex="0">${table}</div>\n`;
    },
  };
}

/** Lets long names and addresses wrap after `_` and `/`, so that the last column of a table is in view. */
function breakable(html: string): string {
  const wrap = (word: string) => word.replace(/[_/]+/g, '$&<wbr>');
  return html.replace(/<[^>]*>|[^<]+/g, (part) => (part.startsWith('<') ? part : part.replace(/\S{16,}/g, wrap)));
}

/** Returns the target of a link in the site; undefined for a file of the repository that is no page. */
function siteLink(path: string, href: string): string | undefined {
  if (/^([a-z]+:|#)/.test(href)) return href;
  const url = new URL(href, `file:///docs/${path}`);
  for (const [page, file] of rootPages) if (url.pathname === `/${file}`) url.pathname = `/docs/${page}`;
  const served = servedFiles.find((name) => url.pathname === `/${name}`);
  if (served !== undefined) return relativePath(htmlPath(path), served);
  const file = url.pathname.slice('/docs/'.length);
  if (!url.pathname.startsWith('/docs/') || !file.endsWith('.md')) return undefined;
  return relativePath(htmlPath(path), htmlPath(file)) + url.hash;
}

function passagesOf(page: Page, parts: readonly Token[], headings: readonly Heading[], rows: NamedRows): Passage[] {
  const passages: Passage[] = [];
  for (const token of parts) {
    if (token.type === 'heading') {
      const { level, text, anchor } = headings[passages.length] as Heading;
      const names = isReference(page) ? namesIn(token as Tokens.Heading) : [];
      passages.push({ text, body: '', names, ...(level === 1 ? {} : { anchor }) });
    } else if (passages.length > 0) {
      const last = passages.pop() as Passage;
      const names = isReference(page) && isOnlyCode(token) ? [...last.names, ...namesIn(token)] : last.names;
      passages.push({ ...last, names, body: `${last.body} ${bodyOf(page, token, rows)}`.trim() });
    }
  }
  return passages;
}

/** Returns whether a part of a page is a paragraph of code alone, such as the route that a section describes. */
function isOnlyCode(token: Token): token is Tokens.Paragraph {
  return token.type === 'paragraph' && token.tokens?.length === 1 && token.tokens[0]?.type === 'codespan';
}

/**
 * Returns the words of a part of a page: without rows that are passages, the examples of a reference, and the addresses
 * of links.
 */
function bodyOf(page: Page, token: Token, rows: NamedRows): string {
  if (token.type === 'code') return isReference(page) ? '' : token.raw;
  const others = (table: Tokens.Table) => [table.header, ...table.rows.filter((row) => !rows.has(row))];
  const text = isTable(token) ? others(token).map(textOfCells).join(' ') : token.raw;
  return text.replace(/\]\([^)]*\)/g, ']');
}
