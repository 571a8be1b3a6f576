import { describe, expect, it } from 'vitest';
import { murmur3 } from './murmur3.ts';
import { rolloutPlace, variantPlace } from './normalized.ts';

describe('MurmurHash3', () => {
  // Published with the algorithm (SMHasher) and its ports.
  it.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['', 0xffffffff, 0x81f16f39],
    ['a', 0x9747b28c, 0x7fa09ea6],
    ['aa', 0x9747b28c, 0x5d211726],
    ['aaa', 0x9747b28c, 0x283e0130],
    ['aaaa', 0x9747b28c, 0x5a97808a],
    ['abc', 0, 0xb3dd93fa],
    ['abcd', 0x9747b28c, 0xf0478627],
    ['Hello, world!', 0x9747b28c, 0x24884cba],
    ['ππππππππ', 0x9747b28c, 0xd58063c1],
    ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
  ])('of %o with the seed %i is %i', (text, seed, hash) => {
    expect(murmur3(text, seed)).toBe(hash);
  });

  it('places ids where every SDK places them', () => {
    expect([rolloutPlace('123', 'gr1'), rolloutPlace('999', 'groupX')]).toEqual([73, 25]);
    expect([variantPlace('123', 'gr1', 100), variantPlace('999', 'groupX', 100)]).toEqual([96, 60]);
  });
});
