import { escapeHtml } from './escape.ts';
import { indexOf, rootPages, type Section } from './navigation.ts';
import { htmlPath, type Page, relativePath, shortTitle } from './page.ts';
import type { Heading, Rendered } from './render.ts';

export interface Site {
  readonly version: string;
  readonly sections: readonly Section[];
  readonly pages: ReadonlyMap<string, Page>;
  /** The address of the repository, where pages are edited and other versions are read. */
  readonly repository?: string | undefined;
}

/** Returns a page of the site as HTML. All its links are relative, and it loads nothing from elsewhere. */
export function layout(site: Site, page: Page, rendered: Rendered): string {
  const link = (to: string) => relativePath(htmlPath(page.path), to);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(page.summary)}">
<title>${escapeHtml(page.title)} · Yardarm</title>
<link rel="icon" href="${link('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${link('assets/site.css')}">
<link rel="alternate" type="text/markdown" href="${link(page.path)}">
<script src="${link('assets/theme.js')}"></script>
<script type="module" src="${link('assets/site.js')}"></script>
</head>
<body data-root="${link('')}">
<a class="skip" href="#content">Skip to the text</a>
<header>
<button id="menu" type="button" aria-expanded="false" aria-controls="sidebar">Menu</button>
<a class="home" href="${link('index.html')}"><img src="${link('favicon.svg')}" alt="" width="24" height="24">Yardarm</a>
<a class="version" href="${link('changelog.html')}" title="What is new in each version">${escapeHtml(site.version)}</a>
<search><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off">
<ol id="results" hidden></ol></search>
<a href="${link('../')}">Open<span class="wide"> Yardarm</span></a>
<button id="theme" type="button">Theme<span class="wide">: <span id="theme-name">system</span></span></button>
</header>
<nav id="sidebar" aria-label="Pages">${sidebar(site, page)}</nav>
<main id="content">
${rendered.html}
<footer>${neighbours(site, page)}<p><a href="${link(page.path)}">This page as Markdown</a>: <code>${sourceOf(page)}</code>${atRepository(site, page)}</p></footer>
</main>
${contents(rendered.headings)}
</body>
</html>
`;
}

function sidebar(site: Site, current: Page): string {
  const items = (section: Section) =>
    section.pages.map((path) => {
      const page = pageAt(site, path);
      const here = path === current.path || path === indexOf(current.path);
      return `<li>${pageLink(current, page, shortTitle(page), here ? ' aria-current="page"' : '')}</li>`;
    });
  return site.sections
    .map((section) => `<h2>${escapeHtml(section.title)}</h2><ul>${items(section).join('')}</ul>`)
    .join('\n');
}

function neighbours(site: Site, page: Page): string {
  const order = site.sections.flatMap((section) => section.pages);
  const at = order.indexOf(page.path);
  if (at < 0) return '';
  const [previous, next] = [order[at - 1], order[at + 1]].map((path) => path && pageAt(site, path));
  return `<p class="neighbours">${previous ? pageLink(page, previous, `← ${shortTitle(previous)}`, ' rel="prev"') : '<span></span>'}
${next ? pageLink(page, next, `${shortTitle(next)} →`, ' rel="next"') : ''}</p>`;
}

/** Returns the file of a page in the repository. */
const sourceOf = ({ path }: Page) => rootPages.get(path) ?? `docs/${path}`;

/** Returns links to the source of a page and to the pages of other versions, each of which is a tag. */
function atRepository({ repository }: Site, page: Page): string {
  if (repository === undefined) return '';
  const address = escapeHtml(repository);
  return ` · <a href="${address}/edit/main/${sourceOf(page)}">Edit this page</a> · <a href="${address}/tags">Other versions</a>`;
}

function contents(headings: readonly Heading[]): string {
  const second = headings.filter(({ level }) => level === 2);
  if (second.length < 2) return '';
  const items = second.map(({ anchor, text }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`);
  return `<nav id="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function pageLink(from: Page, to: Page, text: string, attributes: string): string {
  return `<a href="${relativePath(htmlPath(from.path), htmlPath(to.path))}"${attributes}>${escapeHtml(text)}</a>`;
}

function pageAt(site: Site, path: string): Page {
  const page = site.pages.get(path);
  if (page === undefined) throw new Error(`the sidebar lists docs/${path}, which does not exist`);
  return page;
}
