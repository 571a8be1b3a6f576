import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { routesBySubject } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { subjects } from '../../build/subjects.js';
import { root, sourceFiles } from './source-files.ts';

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const server = 'apps/server/src/';
const foldersOf = (path: string) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const isOurs = (name: string) =>
  !name.startsWith('@') && [...foldersOf(''), ...foldersOf(server)].includes(name.split('/')[0] ?? '');

describe.each([
  ['docs/architecture.md', 20],
  ['CONTRIBUTING.md', 20],
  ['FIRST-ACTION-KIND.md', 8],
])('%s', (path, fewest) => {
  it('names files and folders that exist', () => {
    const text = readFileSync(join(root, path), 'utf8').replaceAll(/`[^`]*\b(x|x\.scenarios)\b[./][^`]*`/g, '');
    const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+)`/g)].map(([, name = '']) => name);
    const ours = named.filter((name) => isOurs(name));
    expect(ours.length).toBeGreaterThan(fewest);
    expect(
      ours.filter((name) => ![name, server + name].some((candidate) => existsSync(join(root, candidate)))),
    ).toEqual([]);
  });
});

describe.each(subjects)('the README of %s', (subject) => {
  const folder = join(root, server, 'features', subject);

  it('names files and folders that exist', () => {
    const text = readFileSync(join(folder, 'README.md'), 'utf8');
    const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, name = '']) => name);
    const places = [folder, join(root, server, 'features'), join(root, server)];
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !places.some((place) => existsSync(join(place, name))))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('names each subject in order, with its features', () => {
    const table = page.slice(page.indexOf('## Features'), page.indexOf('Inside a feature'));
    const rows = [...table.matchAll(/^\| `([a-z-]+)` \|[^|]*\| (.*) \|$/gm)];
    expect(rows.map(([, subject]) => subject)).toEqual(subjects);
    expect(foldersOf(`${server}features`).toSorted()).toEqual(subjects.toSorted());
    for (const [, subject, names = ''] of rows) {
      const named = [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
      expect(named.toSorted()).toEqual(foldersOf(`${server}features/${subject}`).toSorted());
    }
  });

  it('draws the imports between folders', () => {
    const picture = readFileSync(join(root, 'docs/pictures/folders.svg'), 'utf8');
    const drawn = [...picture.matchAll(/data-imports="(\w+) (\w+)"/g)].map(([, from, to]) => `${from} --> ${to}`);
    const leftOut = /^app --> (?!features)|^main --> (?!app|cli)| --> kernel$/;
    expect(drawn.toSorted()).toEqual(importsBetweenFolders().filter((arrow) => !leftOut.test(arrow)));
  });
});

/** Returns the imports in code that is not a test, as arrows between the folders of the picture. */
function importsBetweenFolders(): string[] {
  const arrows = new Set<string>();
  for (const path of sourceFiles('ts', 'tsx')) {
    const from = folderOf(path);
    if (from === undefined || /\.(test|scenarios)\.ts$/.test(path)) continue;
    for (const [, target = ''] of readFileSync(join(root, path), 'utf8').matchAll(/\bfrom '([^']+)'/g)) {
      const to = folderOf(targetOf(path, target));
      if (to !== undefined && to !== from) arrows.add(`${from} --> ${to}`);
    }
  }
  return [...arrows].sort();
}

function targetOf(path: string, target: string): string {
  if (target.startsWith('@yardarm/')) return `packages/${target.slice('@yardarm/'.length)}/`;
  if (target.startsWith('#')) return server + target.slice(1);
  return target.startsWith('.') ? normalize(join(dirname(path), target)) : target;
}

function folderOf(path: string): string | undefined {
  return (/^apps\/server\/src\/(\w+)[/.]/.exec(path) ??
    /^apps\/(admin)\/src\//.exec(path) ??
    /^packages\/(\w+)\//.exec(path))?.[1];
}

describe('the routes of the contract', () => {
  it('have the subjects of the features, top first', () => {
    expect(Object.keys(routesBySubject)).toEqual(subjects);
  });
});

describe('docs/adr/README.md', () => {
  const sections = readFileSync(join(root, 'docs/adr/README.md'), 'utf8')
    .split(/^## /m)
    .map((section) => ({
      title: section.split('\n', 1)[0],
      decisions: [...section.matchAll(/^\| \[(\d+)\]\((\S+)\) \| (.+) \|$/gm)],
    }))
    .filter(({ decisions }) => decisions.length > 0);

  it('has the subjects of the features, top first', () => {
    expect(sections.map(({ title }) => title)).toEqual([...subjects, 'the whole']);
  });

  it('lists each decision once, by its title', () => {
    const files = readdirSync(join(root, 'docs/adr')).filter((name) => /^\d/.test(name));
    const titled = files.map((file) => [file, readFileSync(join(root, 'docs/adr', file), 'utf8').split('\n', 1)[0]]);
    const listed = sections
      .flatMap(({ decisions }) => decisions)
      .map(([, number, file, title]) => [file, `# ${number}. ${title}`]);
    expect(listed.toSorted()).toEqual(titled.toSorted());
  });

  it.each(sections)('lists the decisions about $title in order', ({ decisions }) => {
    const numbers = decisions.map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  });
});
