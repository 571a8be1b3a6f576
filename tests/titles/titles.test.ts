import { describe, expect, it } from 'vitest';
import { titleBreach } from './title-rules.ts';

describe('the title of a commit', () => {
  it.each([
    'Cache 304 answers before Fastify',
    'Pass the epoch to streams',
    'Feed the log to consumers',
    'Merge the two lists of holds',
    'Revert "Cache 304 answers before Fastify"',
    'A'.padEnd(72, 'b'),
  ])('may be: %s', (title) => expect(titleBreach(title)).toBeUndefined());

  it.each([
    ['A'.padEnd(73, 'b'), 'has 73 characters, more than 72'],
    ["Merge branch 'main' of github.com:yardarm/yardarm", "is git's own title of a merge"],
    ['Merge pull request #12 from someone/branch', "is git's own title of a merge"],
    ['fixup! Cache 304 answers', 'is of a commit that was to become a part of another'],
    ['cache 304 answers', 'does not begin with a capital letter'],
    ['Cache 304 answers.', 'ends with a punctuation mark'],
    ['Tests: cache 304 answers', 'begins with a label instead of a verb'],
    ['The cache of 304 answers', 'begins with a noun instead of a verb'],
    ['Cached 304 answers', 'does not begin with an imperative'],
    ['Caching 304 answers', 'does not begin with an imperative'],
    ['Caches 304 answers', 'does not begin with an imperative'],
    ['', 'does not begin with a capital letter'],
  ])('may not be: %s', (title, reason) => expect(titleBreach(title)).toBe(reason));
});
