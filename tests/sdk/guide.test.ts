import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { publishedSdks } from './published-sdks.ts';
import { rubyVersion } from './ruby/version.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string) => readFileSync(root + path, 'utf8');
const guide = textOf('docs/guides/sdks.md');
/** Folders of SDKs that have a package.json of their own. */
const clients = readdirSync(`${root}tests/sdk`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(`${root}tests/sdk/${entry.name}/package.json`))
  .map(({ name }) => `tests/sdk/${name}`);

/** Returns the names and versions in the table below a heading of the guide. */
function rowsBelow(heading: string): (readonly [name: string, version: string])[] {
  const [, section = ''] = guide.split(`\n## ${heading}\n`);
  const rows = (section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)`[^|]* \| ([\d.]+) \|/gm);
  return [...rows].map(([, name = '', version = '']) => [name, version]);
}

it('the guide names the SDKs that are run here, with their versions', () => {
  const run = new Map(
    ['package.json', ...clients.map((client) => `${client}/package.json`)].flatMap((path) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(textOf(path));
      return Object.entries<string>({ ...dependencies, ...devDependencies });
    }),
  );
  // The Ruby SDK is installed by Debian; its test requires this version.
  run.set('unleash', rubyVersion);
  const rows = rowsBelow('SDKs that the tests run');
  expect(rows).toHaveLength(8);
  for (const [name, version] of rows) expect([name, run.get(name)]).toEqual([name, version]);
});

it('the guide names the SDKs whose published source was checked, with their versions', () => {
  expect(rowsBelow('SDKs whose published source was checked')).toEqual(
    publishedSdks.map(({ name, version }) => [name, version]),
  );
});

it.each(clients)('%s locks its packages without their download addresses', (client) => {
  const lock = JSON.parse(textOf(`${client}/package-lock.json`));
  const packages = Object.values<{ resolved?: string; integrity?: string; link?: boolean }>(lock.packages);
  expect(packages.filter(({ resolved }) => resolved?.includes('://'))).toEqual([]);
  expect(packages.length).toBeGreaterThan(2);
});
