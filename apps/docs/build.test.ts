import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildSite } from './build.ts';
import { rootPages } from './site/navigation.ts';
import { toPage } from './site/page.ts';
import { render } from './site/render.ts';
import { searchOptions } from './site/search-options.ts';

const source = fileURLToPath(new URL('../../docs', import.meta.url));

describe('the documentation site', () => {
  const target = mkdtempSync(join(tmpdir(), 'yardarm-docs-'));
  const read = (path: string) => readFileSync(join(target, path), 'utf8');
  let pages: string[] = [];

  beforeAll(async () => {
    await buildSite(source, target);
    pages = globSync('**/*.html', { cwd: target });
  }, 60_000);
  afterAll(() => rmSync(target, { recursive: true }));

  it('has a page for each Markdown file, and the Markdown beside it', () => {
    const sources = globSync('**/*.md', { cwd: source });
    // The site also has files of the root, which are not in `docs`.
    expect(pages).toHaveLength(sources.length + rootPages.size);
    for (const path of sources) expect(read(path)).toBe(readFileSync(join(source, path), 'utf8'));
  });

  it('has no link to a page or heading that does not exist', () => {
    expect(pages.flatMap((path) => brokenLinks(target, path))).toEqual([]);
  });

  it('loads nothing from other servers and has no inline script', () => {
    for (const path of pages) {
      const html = read(path);
      expect(html.match(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull();
      expect(html.match(/<script(?![^>]*src=)[^>]*>/g)).toBeNull();
    }
  });

  it('finds the passage for what an engineer types', () => {
    const index = MiniSearch.loadJSON(read('assets/search.json'), searchOptions);
    const found = (query: string) => index.search(query).map(({ id }) => id);
    expect(found('override automation')[0]).toBe('guides/on-call.html#override-automation');
    expect(found('YARDARM_SHUTDOWN_DELAY').slice(0, 2)).toContain('reference/settings.html');
    expect(found('no such word zyxw')).toEqual([]);
  });

  it('has the changelog, with links to the guides, and links its version to it', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(read('guides/on-call.html')).toMatch(
      RegExp(`<a class="version" href="../changelog.html"[^>]*>${version}</a>`),
    );
    expect(read('changelog.html')).toContain('href="guides/release-plans.html"');
    expect(read('security.html')).toContain('Reporting a vulnerability');
  });

  it('lists its pages for programs', () => {
    const text = read('llms.txt');
    expect(text).toContain('- [On call: see what is held, and release it](guides/on-call.md): After the login');
    for (const [, path = ''] of text.matchAll(/\]\(([^)]+)\)/g))
      expect(existsSync(join(target, path)), path).toBe(true);
  });
});

it('links each page to its source and to other versions when package.json names the repository', async () => {
  const target = mkdtempSync(join(tmpdir(), 'yardarm-docs-'));
  onTestFinished(() => rmSync(target, { recursive: true }));
  const repository = { url: 'git+https://git.example.com/flags/yardarm.git' };
  await buildSite(source, target, { version: '1.2.3', repository });
  const read = (path: string) => readFileSync(join(target, path), 'utf8');
  const at = 'https://git.example.com/flags/yardarm';
  expect(read('guides/on-call.html')).toContain(`<a href="${at}/edit/main/docs/guides/on-call.md">Edit this page</a>`);
  expect(read('changelog.html')).toContain(`<a href="${at}/edit/main/CHANGELOG.md">Edit this page</a>`);
  expect(read('index.html')).toContain(`<a href="${at}/tags">Other versions</a>`);
});

it('links each page to the repository whose workflow on GitHub builds it, when package.json names none', async () => {
  vi.stubEnv('GITHUB_SERVER_URL', 'https://git.example.com');
  vi.stubEnv('GITHUB_REPOSITORY', 'flags/yardarm');
  onTestFinished(() => void vi.unstubAllEnvs());
  const target = mkdtempSync(join(tmpdir(), 'yardarm-docs-'));
  onTestFinished(() => rmSync(target, { recursive: true }));
  await buildSite(source, target, { version: '1.2.3' });
  const tags = '<a href="https://git.example.com/flags/yardarm/tags">Other versions</a>';
  expect(readFileSync(join(target, 'index.html'), 'utf8')).toContain(tags);
});

describe('a rendered page', () => {
  const html = (markdown: string, path = 'guides/a.md') => render(toPage(path, `# Title\n\n${markdown}`)).html;

  it('links to the HTML of other pages, from any folder', () => {
    expect(html('[b](b.md#part)')).toContain('href="b.html#part"');
    expect(html('[s](../reference/settings.md)')).toContain('href="../reference/settings.html"');
    expect(html('[home](guides/a.md)', 'README.md')).toContain('href="guides/a.html"');
    expect(html('[index](README.md)', 'adr/0001-a.md')).toContain('href="index.html"');
  });

  it('links to the changelog of the repository', () => {
    expect(html('[changelog](../../CHANGELOG.md)')).toContain('href="../changelog.html"');
  });

  it('links to the files that guides tell to use', () => {
    expect(html('[rules](../../examples/alerts/rules.yml)')).toContain('href="../examples/alerts/rules.yml"');
  });

  it('shows the names of files outside the documentation without a link', () => {
    expect(html('[example](../../examples/alerts/rules.test.yml)')).toContain('<p>example</p>');
  });

  it('escapes what looks like HTML in code', () => {
    expect(html('```\n<script>\n```')).toContain('&lt;script&gt;');
  });

  it('cannot be made from a text without a heading', () => {
    expect(() => toPage('a.md', 'Text')).toThrow('docs/a.md does not begin with a heading, but with: Text');
  });
});

/** Returns the relative links of a page whose file or heading is missing. */
function brokenLinks(target: string, path: string): string[] {
  const html = readFileSync(join(target, path), 'utf8');
  const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
  return links.flatMap((link) => {
    // A link to `../` leads to the user interface of the server, which serves this site below /docs.
    if (/^[a-z]+:/.test(link) || join(dirname(path), link) === '../') return [];
    const [file = '', anchor] = link.split('#');
    const to = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(target, to))) return [`${path}: ${link}`];
    if (anchor === undefined) return [];
    const linked = readFileSync(join(target, to), 'utf8');
    return linked.includes(`id="${anchor}"`) ? [] : [`${path}: ${link}`];
  });
}
