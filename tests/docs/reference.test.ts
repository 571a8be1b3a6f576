import { describe, expect, it } from 'vitest';
import { committedPage, pages } from '../../docs/generate.ts';

describe('the reference pages', () => {
  it.each(Object.keys(pages))('%s is current (npm run docs updates it)', async (path) => {
    expect(committedPage(path)).toBe(await pages[path]?.());
  });
});
