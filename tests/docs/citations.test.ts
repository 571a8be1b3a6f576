import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambiguousSections, brokenCitations, type Texts } from './citations.ts';
import { root, sourceFiles } from './source-files.ts';

const ownFiles = /^tests\/docs\/citations/;
const repository: Texts = Object.fromEntries(
  sourceFiles('ts', 'tsx', 'js', 'mjs', 'md')
    .filter((path) => !ownFiles.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

describe('citations and links of the repository', () => {
  it('cite sections of docs/spec and decision records, and link to pages and headings, that exist', () => {
    expect(brokenCitations(repository, (path) => existsSync(join(root, path)))).toEqual([]);
  });

  it('cite sections whose anchor is unique in docs/spec', () => {
    expect(ambiguousSections(repository)).toEqual([]);
  });

  it('are found', () => {
    expect(
      Object.values(repository)
        .join('\n')
        .match(/docs\/spec#/g)?.length,
    ).toBeGreaterThan(100);
  });
});

describe('the check of citations', () => {
  const spec = { 'docs/spec/flags.md': '# Flags\n\n## Flag names\n', 'docs/adr/0002-one-writer.md': '' };
  const check = (texts: Texts) => brokenCitations({ ...spec, ...texts }, (path) => path in { ...spec, ...texts });

  it.each([
    ['a cited section that exists', { 'a.ts': '// docs/spec#flag-names' }],
    ['a decision record that exists', { 'a.ts': '// (ADR 2)', 'b.ts': '// docs/adr/0002-one-writer.md' }],
    ['a link to a heading', { 'docs/a.md': '[names](spec/flags.md#flag-names)' }],
    ['a link to a heading of the same page', { 'docs/a.md': '# Top\n[up](#top)' }],
    ['a link to another site', { 'docs/a.md': '[site](https://example.com/a#b)' }],
    ['what only looks like a link, in a code block', { 'docs/a.md': '```\n[x](y.md)\n```' }],
  ])('accepts %s', (_, texts) => {
    expect(check(texts)).toEqual([]);
  });

  it.each([
    ['a cited section that is missing', { 'a.ts': '\n// docs/spec#flag-nams' }, /^a\.ts:2 cites docs\/spec#flag-nams/],
    ['a missing decision record', { 'a.ts': '// (ADR 3)' }, /^a\.ts cites ADR 3, which is no file/],
    ['a missing decision record beside one that exists', { 'a.ts': '// ADR 2 and 3' }, /^a\.ts cites ADR 3,/],
    ['a missing decision record on the next line', { 'a.ts': '/** ADR\n * 3 */' }, /^a\.ts cites ADR 3,/],
    ['a path to a missing decision record', { 'a.ts': '// docs/adr/0003' }, /^a\.ts cites ADR 3,/],
    ['a numbered citation', { 'a.ts': "describe('spec 4.1 signals')" }, /^a\.ts:1 cites a document/],
    ['a citation of a document outside', { 'a.md': 'see unleash-facts 6.5' }, /^a\.md:1 cites a document/],
    ['a link to a missing page', { 'docs/a.md': '[x](b.md)' }, /links to b\.md, which does not exist/],
    ['a link to a missing heading', { 'docs/a.md': '[x](spec/flags.md#flag)' }, /a heading that does not exist/],
  ])('finds %s', (_, texts, problem) => {
    expect(check(texts)).toEqual([expect.stringMatching(problem)]);
  });

  it('finds two sections with one anchor', () => {
    expect(ambiguousSections({ ...spec, 'docs/spec/more.md': '## Flag names' })).toEqual(['flag-names']);
  });
});
