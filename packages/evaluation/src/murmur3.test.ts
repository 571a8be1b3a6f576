import { describe, expect, it } from 'vitest';
import { rolloutBucket, variantBucket } from './hash-buckets.ts';
import { murmur3After } from './murmur3.ts';

describe('MurmurHash3', () => {
  // Test vectors that are published with the algorithm (SMHasher) and its ports.
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
    // Letters that fit one byte in Latin-1 and take two in UTF-8; computed over the UTF-8 bytes.
    ['é', 0, 0x10110787],
    ['café', 0x9747b28c, 0x662f5c78],
    ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
  ])('of %o with the seed %i is %i', (text, seed, hash) => {
    expect(murmur3After('', seed)(text)).toBe(hash);
  });

  it.each(['The quick brown fox', 'ππ and more', 'more and ππ'])('of %o is the same wherever it is cut', (text) => {
    const whole = murmur3After('', 7)(text);
    for (let at = 0; at <= text.length; at++) expect(murmur3After(text.slice(0, at), 7)(text.slice(at))).toBe(whole);
  });

  it('places ids where every SDK places them', () => {
    expect([rolloutBucket('gr1')('123'), rolloutBucket('groupX')('999')]).toEqual([73, 25]);
    expect([variantBucket('gr1', 100)('123'), variantBucket('groupX', 100)('999')]).toEqual([96, 60]);
  });
});
