import highlighter from 'highlight.js';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { escapeHtml } from './escape.ts';
import { rootPages, servedFiles } from './navigation.ts';
import { htmlPath, type Page, relativePath } from './page.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** The text below a heading, for the search. */
export interface Passage extends Heading {
  readonly body: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

/**
 * Renders a page. Links to other pages of `docs` lead to their HTML; links to other files of the repository are text.
 */
export function render(page: Page): Rendered {
  const headings: Heading[] = [];
  const marked = new Marked({ renderer: rendererOf(page, headings) });
  const html = marked.parse(page.markdown, { async: false });
  return { html, headings, passages: passagesOf(page, headings) };
}

/** Returns the anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function rendererOf(page: Page, headings: Heading[]): RendererObject {
  return {
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens);
      const text = textOf(tokens);
      const anchor = anchorOf(text);
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
      const cells = (row: Tokens.TableCell[], tag: 'td' | 'th') =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      const table = `<table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table>`;
      return `<div class="table" tabindex="0">${table}</div>\n`;
    },
  };
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

function passagesOf(page: Page, headings: readonly Heading[]): Passage[] {
  const parts = new Marked().lexer(page.markdown);
  const passages: Passage[] = [];
  for (const token of parts) {
    if (token.type === 'heading') passages.push({ ...(headings[passages.length] as Heading), body: '' });
    else if (passages.length > 0) {
      const last = passages.pop() as Passage;
      passages.push({ ...last, body: `${last.body} ${token.raw}`.trim() });
    }
  }
  return passages;
}

function textOf(tokens: Tokens.Generic[]): string {
  return tokens
    .map((token) => (token.tokens === undefined ? (token.text ?? token.raw) : textOf(token.tokens)))
    .join('');
}
