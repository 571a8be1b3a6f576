import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { toPage } from './site/page.ts';
import { render } from './site/render.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const userInterface = folder('../admin/src/');
const documentation = folder('../../docs/');

it('the pages of the user interface link to guides and headings that exist', () => {
  const sources = globSync('**/*.tsx', { cwd: userInterface }).map((path) =>
    readFileSync(userInterface + path, 'utf8'),
  );
  const named = sources.flatMap((text) => [...text.matchAll(/\bguide="([^"]+)"/g)].map(([, guide = '']) => guide));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((guide) => !isThere(guide))).toEqual([]);
});

function isThere(guide: string): boolean {
  const [page, heading] = guide.split('#');
  const file = `${documentation}${page}.md`;
  if (!existsSync(file)) return false;
  const { headings } = render(toPage(`${page}.md`, readFileSync(file, 'utf8')));
  return heading === undefined || headings.some(({ anchor }) => anchor === heading);
}
