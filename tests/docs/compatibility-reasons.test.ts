import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reasons } from '../../docs/compatibility/reasons.ts';

const page = readFileSync(new URL('../../docs/compatibility.md', import.meta.url), 'utf8');
const leftOut = [...page.matchAll(/^\| `\w+ (\S+)` \| left out/gm)].map(([, path]) => path ?? '');

/** The alternatives of a pattern at its outer level. */
function alternatives({ source }: RegExp): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of source) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

describe('a reason why a route of Unleash is left out', () => {
  it.each(reasons.flatMap(({ paths }) => alternatives(paths)))('applies to a route: %s', (alternative) => {
    expect(leftOut.some((path) => new RegExp(alternative).test(path))).toBe(true);
  });
});
