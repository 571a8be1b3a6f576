import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sitePages } from '../../docs/pages/routes.ts';
import { buildSite, writeSite } from './build.ts';
import { rootPages } from './site/navigation.ts';
import { toPage } from './site/page.ts';
import { render } from './site/render.ts';
import { findPassages, searchOptions } from './site/search-options.ts';

// A build of the site takes ten seconds of processor time, and more than a minute on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const source = fileURLToPath(new URL('../../docs', import.meta.url));

describe('the documentation site', () => {
  const target = mkdtempSync(join(tmpdir(), 'yardarm-docs-'));
  const read = (path: string) => readFileSync(join(target, path), 'utf8');
  let pages: string[] = [];

  beforeAll(async () => {
    await buildSite(source, target);
    pages = globSync('**/*.html', { cwd: target });
  });
  afterAll(() => rmSync(target, { recursive: true }));

  it('has a page for each Markdown file, and the Markdown beside it', () => {
    const made = sitePages();
    const sources = globSync('**/*.md', { cwd: source }).filter((path) => !made.has(path));
    // The site also has files of the root, which are not in `docs`.
    expect(pages).toHaveLength(sources.length + made.size + rootPages.size);
    for (const path of sources) expect(read(path)).toBe(readFileSync(join(source, path), 'utf8'));
    for (const [path, markdown] of made) expect(read(path)).toBe(markdown);
  });

  it('has no link to a page or heading that does not exist', () => {
    expect(pages.flatMap((path) => brokenLinks(target, path))).toEqual([]);
  });

  it('has each anchor once in a page', () => {
    const twice = pages.flatMap((path) => {
      const ids = [...read(path).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${path}#${id}`);
    });
    expect(twice).toEqual([]);
  });

  it('loads nothing from other servers and has no inline script', () => {
    for (const path of pages) {
      const html = read(path);
      expect(html.match(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull();
      expect(html.match(/<script(?![^>]*src=)[^>]*>/g)).toBeNull();
    }
  });

  describe('search', () => {
    const found = (query: string) => {
      const index = MiniSearch.loadJSON(read('assets/search.json'), searchOptions);
      return findPassages(index, query).map(({ id }) => String(id));
    };

    it.each([
      ['UNLEASH_SECRET', 'reference/settings.html#unleash_secret'],
      ['yardarm_data_dir', 'reference/settings.html#yardarm_data_dir'],
      ['DATABASE_URL', 'reference/settings.html#database_url'],
      ['YARDARM_SHUTDOWN_DELAY', 'reference/settings.html#yardarm_shutdown_delay'],
      ['PORT', 'reference/settings.html#port'],
      // An alias of PORT.
      ['HTTP_PORT', 'reference/settings.html#port'],
      ['holds_open', 'reference/metrics.html#holds_open'],
      ['signal_to_change_seconds', 'reference/metrics.html#signal_to_change_seconds'],
      ['feature-created', 'reference/events.html#feature-created'],
      ['change-request-created', 'reference/events.html#change-request-created'],
      ['BREAK_GLASS_CHANGE_REQUEST', 'reference/permissions.html#break_glass_change_request'],
      ['READ_LOGS', 'reference/permissions.html#read_logs'],
    ])('has for the name %s its row first: %s', (name, row) => {
      expect(found(name)[0]).toBe(row);
    });

    it.each([
      'PUT /api/admin/projects/:projectId/actions/:id',
      'get /api/admin/events/feed',
      '/api/admin/projects/:projectId/features/:featureName/connections',
    ])('has for the route %s its passage first', (route) => {
      const [first = ''] = found(route);
      expect(first).toMatch(/^reference\/routes/);
      const [page = '', anchor] = first.split('#');
      // The heading, and the paragraph below it.
      const passage = RegExp(` id="${anchor}">[^]*?</p>`).exec(read(page))?.[0];
      expect(passage?.replaceAll('<wbr>', '').toLowerCase()).toContain(route.toLowerCase());
    });

    it.each([
      ['override automation', 'guides/on-call.html#override-automation'],
      ['backup', 'guides/backup.html'],
      ['restore', 'guides/backup.html#restore'],
      ['hold', 'guides/on-call.html#hold-a-flag-yourself'],
      ['Alertmanager', 'senders/alertmanager.html'],
      ['change request', 'guides/change-requests.html'],
      ['rollout', 'guides/release-plans.html'],
      ['gradual rollout', 'guides/release-plans.html'],
      ['SSO', 'guides/single-sign-on.html'],
      ['single sign-on', 'guides/single-sign-on.html'],
      ['upgrade', 'guides/versions.html#upgrade'],
      ['Grafana dashboard', 'guides/operating.html#a-dashboard-for-grafana'],
      ['kubernetes', 'guides/kubernetes.html'],
      ['terraform', 'compatibility.html#terraform'],
      ['retention', 'guides/auditing.html#retention-and-legal-hold'],
      ['metrics', 'reference/metrics.html'],
      ['permissions', 'reference/permissions.html'],
      ['settings', 'reference/settings.html'],
      ['smtp', 'reference/settings.html#email_host'],
    ])('has for the words “%s” among the first three: %s', (words, passage) => {
      expect(found(words).slice(0, 3)).toContain(passage);
    });

    it('has the passages with most of the words when none has all of them', () => {
      expect(found('override automation zyxw').slice(0, 3)).toContain('guides/on-call.html#override-automation');
      expect(found('zyxwvut')).toEqual([]);
    });

    it('leads to anchors that exist', () => {
      const stored = Object.values<string>(JSON.parse(read('assets/search.json')).documentIds);
      const missing = stored.filter((id) => {
        const [page = '', anchor] = id.split('#');
        return anchor !== undefined && !read(page).includes(`id="${anchor}"`);
      });
      expect(missing).toEqual([]);
    });
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
  await writeSite(source, target, { version: '1.2.3', repository });
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
  await writeSite(source, target, { version: '1.2.3' });
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

  it('lets long names wrap in the cells of a table', () => {
    const table = html('| [`LONG_NAME_OF_A_SETTING`](b_long_name_of_a_page.md) |\n|---|');
    expect(table).toContain(
      '<a href="b_long_name_of_a_page.html"><code>LONG_<wbr>NAME_<wbr>OF_<wbr>A_<wbr>SETTING</code>',
    );
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
