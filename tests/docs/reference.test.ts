import { describe, expect, it } from 'vitest';
import { committedPage, pages } from '../../docs/generate.ts';

describe('the reference pages', () => {
  it.each(Object.keys(pages))('%s says what the server runs on; if not: npm run docs', (path) => {
    expect(committedPage(path)).toBe(pages[path]?.());
  });
});
