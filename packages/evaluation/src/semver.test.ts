import { describe, expect, it } from 'vitest';
import { compareVersions, parseVersion, type Version } from './semver.ts';

const version = (text: string): Version => {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is no version`);
  return parsed;
};

describe('a semantic version', () => {
  it('comes where section 11 of the specification says', () => {
    const inOrder = [
      ...[
        '0.0.1',
        '0.1.0',
        '0.1.1-0',
        '1.0.0-0',
        '1.0.0-1',
        '1.0.0-10',
        '1.0.0-9007199254740992',
        '1.0.0-9007199254740993',
        '1.0.0-10000000000000000',
        '1.0.0-1a',
        '1.0.0-1b',
        '1.0.0-a1',
        '1.0.0-a2',
        '1.0.0-alpha',
        '1.0.0-alpha.1',
      ],
      ...[
        '1.0.0-alpha.beta',
        '1.0.0-beta',
        '1.0.0-beta.2',
        '1.0.0-beta.11',
        '1.0.0-rc.1',
        '1.0.0-rc.20',
        '1.0.0-rc.100',
        '1.0.0',
        '1.0.1',
        '1.2.0',
      ],
      ...['1.10.0', '2.0.0--', '2.0.0-A', '2.0.0-a', '2.0.0', '10.0.0'],
    ];
    for (const [i, a] of inOrder.entries()) {
      for (const [j, b] of inOrder.entries()) {
        expect(Math.sign(compareVersions(version(a), version(b))), `${a} and ${b}`).toBe(Math.sign(i - j));
      }
    }
  });

  it('is the same with other build metadata', () => {
    expect(compareVersions(version('1.0.0+a.01'), version('1.0.0+b'))).toBe(0);
  });

  it.each([
    '',
    '1',
    '1.2',
    'v1.2.3',
    '=1.2.3',
    ' 1.2.3',
    '1.2.3 ',
    '01.2.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3-a..b',
    '1.2.3+',
    '1.2.3.4',
  ])('is not %o', (text) => expect(parseVersion(text)).toBeUndefined());

  it('is not a text of any length', () => {
    expect(parseVersion(`1.2.${'9'.repeat(17)}`)).toBeUndefined();
    expect(parseVersion(`1.2.3-${'a'.repeat(300)}`)).toBeUndefined();
  });
});
