import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string) => readFileSync(root + path, 'utf8');
const clients = readdirSync(`${root}tests/sdk`, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [`tests/sdk/${entry.name}`] : [],
);

it('the guide names the SDKs that are run here, in the versions that are', () => {
  const run = new Map(
    ['package.json', ...clients.map((client) => `${client}/package.json`)].flatMap((path) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(textOf(path));
      return Object.entries<string>({ ...dependencies, ...devDependencies });
    }),
  );
  const rows = [...textOf('docs/guides/sdks.md').matchAll(/^\| `([^`]+)`[^|]* \| ([\d.]+) \|/gm)];
  expect(rows).toHaveLength(7);
  for (const [, name = '', version] of rows) expect([name, run.get(name)]).toEqual([name, version]);
});

it.each(clients)('%s locks what it installs, and no address that it is fetched from', (client) => {
  const lock = JSON.parse(textOf(`${client}/package-lock.json`));
  const packages = Object.values<{ resolved?: string; integrity?: string; link?: boolean }>(lock.packages);
  expect(packages.filter(({ resolved }) => resolved?.includes('://'))).toEqual([]);
  expect(packages.length).toBeGreaterThan(2);
});
