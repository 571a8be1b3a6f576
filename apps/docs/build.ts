import { existsSync } from 'node:fs';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { sitePages } from '../../docs/pages/routes.ts';
import { compressFile } from '../admin/build/compressed.ts';
import { layout, type Site } from './site/layout.ts';
import { indexOf, rootPages, sections, servedFiles } from './site/navigation.ts';
import { htmlPath, type Page, toPage } from './site/page.ts';
import { type Rendered, render } from './site/render.ts';
import { type SearchEntry, searchOptions } from './site/search-options.ts';
import { llmsText } from './site/texts-for-programs.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Writes the site as {@link writeSite} does, and compressed copies of its files. */
export async function buildSite(source = here('../../docs'), target = here('dist')): Promise<void> {
  await writeSite(source, target);
  for await (const name of glob('**/*.{html,json,js,css}', { cwd: target })) {
    await compressFile(join(target, name));
  }
}

/**
 * Writes the site of the Markdown of `docs`, of `sitePages` and of `rootPages`, into `target`. Its pages link to their
 * source in the repository that the root's package.json names; if it names none, in the one whose workflow on GitHub
 * builds them, if any. Throws when a page is not in the sidebar.
 *
 * It uses no framework for documentation, because `npm ci` installs what builds the site: marked, MiniSearch and
 * highlight.js are 11 MB. VitePress is 102 MB, brings a second Vite, and writes inline scripts, for which the
 * Content-Security-Policy would need a hash for each page. Decide again when a page needs what only a framework has.
 */
export async function writeSite(source: string, target: string, manifest?: Manifest): Promise<void> {
  const { version, repository } = manifest ?? (await readManifest());
  const pages = await readPages(source);
  const listed = new Set(sections.flatMap((section) => section.pages));
  const unlisted = [...pages.keys()].filter((path) => !listed.has(path) && indexOf(path) === undefined);
  if (unlisted.length > 0) throw new Error(`add to apps/docs/site/navigation.ts: ${unlisted.join(', ')}`);
  const site: Site = { version, sections, pages, repository: repository ? webAddress(repository.url) : onGitHub() };
  const rendered = new Map([...pages].map(([path, page]) => [path, render(page)]));
  await rm(target, { recursive: true, force: true });
  await mkdir(join(target, 'assets'), { recursive: true });
  for (const [path, page] of pages) {
    await write(join(target, path), page.markdown);
    await write(join(target, htmlPath(path)), layout(site, page, rendered.get(path) as Rendered));
  }
  await write(join(target, 'llms.txt'), llmsText(sections, pages));
  await write(join(target, 'assets/search.json'), searchIndex(pages, rendered));
  if (existsSync(join(source, 'pictures'))) {
    await cp(join(source, 'pictures'), join(target, 'pictures'), { recursive: true });
  }
  for (const name of servedFiles) await cp(here(`../../${name}`), join(target, name));
  await cp(here('client/site.css'), join(target, 'assets/site.css'));
  await cp(here('../admin/public/favicon.svg'), join(target, 'favicon.svg'));
  await buildScripts(join(target, 'assets'));
}

async function readPages(source: string): Promise<Map<string, Page>> {
  const paths = [];
  for await (const path of glob('**/*.md', { cwd: source })) paths.push(path.replaceAll('\\', '/'));
  const pages = await Promise.all(
    paths.toSorted().map(async (path) => toPage(path, await readFile(join(source, path), 'utf8'))),
  );
  const made = [...sitePages()].map(([path, markdown]) => toPage(path, markdown));
  return new Map([...pages, ...made, ...(await readRootPages())].map((page) => [page.path, page]));
}

/** Reads the files in the root of the repository that are pages of the site. */
async function readRootPages(): Promise<Page[]> {
  const files = [...rootPages].map(async ([path, file]) => {
    const markdown = await readFile(here(`../../${file}`), 'utf8');
    return toPage(path, markdown.replaceAll('](docs/', ']('));
  });
  return Promise.all(files);
}

function searchIndex(pages: ReadonlyMap<string, Page>, rendered: ReadonlyMap<string, Rendered>): string {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  for (const [path, { passages }] of rendered) {
    const page = pages.get(path)?.title ?? path;
    for (const { anchor, text, body, names } of passages) {
      const id = anchor === undefined ? htmlPath(path) : `${htmlPath(path)}#${anchor}`;
      index.add({ id, title: text, page, body, ...(names.length === 0 ? {} : { names: names.join('\n') }) });
    }
  }
  return JSON.stringify(index);
}

/** Bundles the two scripts of the pages: one that must run before the first paint, and a module for the rest. */
async function buildScripts(outDir: string): Promise<void> {
  for (const [name, format] of [
    ['theme', 'iife'],
    ['site', 'es'],
  ] as const) {
    await build({
      configFile: false,
      logLevel: 'warn',
      build: {
        outDir,
        emptyOutDir: false,
        target: 'es2023',
        lib: { entry: here(`client/${name}.ts`), name, formats: [format], fileName: () => `${name}.js` },
      },
    });
  }
}

/** The fields of package.json that the pages show. */
interface Manifest {
  readonly version: string;
  readonly repository?: { readonly url: string };
}

async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(here('../../package.json'), 'utf8'));
}

/** Returns the address of a repository in a browser: package.json has `git+https://host/owner/name.git`. */
const webAddress = (url: string) => url.replace(/^git\+/, '').replace(/\.git$/, '');

/** Returns the address of the repository whose workflow on GitHub runs this, by the variables that it sets. */
function onGitHub(): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  return server && repository ? `${server}/${repository}` : undefined;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

if (import.meta.main) await buildSite();
