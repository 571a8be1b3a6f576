/** A Markdown page of `docs`. */
export interface Page {
  /** The path of the page below `docs`, such as `guides/on-call.md`. */
  readonly path: string;
  readonly markdown: string;
  /** The first heading. */
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly summary: string;
}

/** Returns a page from its Markdown. Throws when it does not begin with a heading of the first level. */
export function toPage(path: string, markdown: string): Page {
  const [first = '', ...lines] = markdown.split('\n');
  if (!first.startsWith('# ')) throw new Error(`docs/${path} does not begin with a heading, but with: ${first}`);
  return { path, markdown, title: plain(first.slice(2)), summary: plain(firstParagraph(lines.join('\n'))) };
}

/** Returns the part of the title before the colon: `On call: see what is held` is "On call" in the sidebar. */
export const shortTitle = (page: Page) => page.title.split(':')[0] ?? page.title;

/** Returns the file that a page is written to: `README.md` is the index of its folder. */
export function htmlPath(path: string): string {
  return path.replace(/(^|\/)README[.]md$/, '$1index.md').replace(/[.]md$/, '.html');
}

/** Returns the path from one file of the site to another, so that the site works below any base path. */
export function relativePath(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1);
  const [target, own] = [to.split('/'), from.split('/')];
  let shared = 0;
  while (shared < own.length - 1 && shared < target.length - 1 && own[shared] === target[shared]) shared += 1;
  return up.slice(shared * 3) + target.slice(shared).join('/');
}

function firstParagraph(markdown: string): string {
  const paragraphs = markdown.split(/\n\s*\n/).map((text) => text.trim());
  return paragraphs.find((text) => /^[\p{L}"*`[]/u.test(text)) ?? '';
}

function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
