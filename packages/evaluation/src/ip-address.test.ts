import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInside, parseAddress, parseNetwork } from './ip-address.ts';

const v4 = fc.ipV4();
const v6 = fc.ipV6();
const mangled = fc
  .tuple(fc.oneof(v4, v6), fc.nat(40), fc.constantFrom('', ':', '.', '0', '::', 'g', '256'))
  .map(([address, at, more]) => address.slice(0, at) + more + address.slice(at + 1));

describe('an IP address', () => {
  it('is valid exactly when Node accepts it', () => {
    fc.assert(
      fc.property(fc.oneof(v4, v6, mangled), (text) => {
        expect(parseAddress(text) !== undefined).toBe(isIP(text) !== 0);
      }),
      { numRuns: 5000 },
    );
  });

  it('lies in the networks in which Node finds it', () => {
    const near = (base: string, bits: number) =>
      base
        .split('.')
        .map((part, at) => (at * 8 < bits ? part : '1'))
        .join('.');
    fc.assert(
      fc.property(v4, v4, fc.nat(32), fc.boolean(), (base, other, bits, close) => {
        const address = close ? near(base, bits) : other;
        const list = new BlockList();
        list.addSubnet(base, bits, 'ipv4');
        expect(inside(address, `${base}/${bits}`)).toBe(list.check(address, 'ipv4'));
      }),
      { numRuns: 5000 },
    );
    fc.assert(
      fc.property(v6, v6, fc.constantFrom(0, 1, 7, 8, 9, 16, 33, 64, 127, 128), (base, other, bits) => {
        const list = new BlockList();
        list.addSubnet(base, bits, 'ipv6');
        for (const address of [base, other].filter((text) => parseAddress(text)?.length === 16)) {
          if (parseNetwork(`${base}/${bits}`)?.address.length === 16)
            expect(inside(address, `${base}/${bits}`)).toBe(list.check(address, 'ipv6'));
        }
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '::ffff:10.0.0.0/104', true],
    ['10.1.2.3', '::/0', false],
    ['2001:db8::1', '0.0.0.0/0', false],
    ['fe80::1%eth0', 'fe80::/10', true],
    ['10.0.0.1', '10.0.0.2/31', false],
    ['10.0.0.3', '10.0.0.2/31', true],
    ['fe80::1%eth-0.1', 'fe80::1', true],
    ['::ffff:10.0.0.0', '::fffe:0a00:0/128', false],
    ['10.0.0.0', '::feff:10.0.0.0', false],
    ['10.0.0.1', '1::ffff:10.0.0.1', false],
    ['10.0.0.3', '10.0.0.3', true],
  ])('%s in %s: %o', (address, network, expected) => {
    expect(inside(address, network)).toBe(expected);
  });

  it.each([
    '',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/8x',
    '10.0.0.0/0x8',
    '10.0.0.0/1e1',
    '10.0.0.0/+8',
    '10.0.0/8',
    '::/129',
    '::ffff:10.0.0.0/95',
    '1::2::3/8',
    'x/8',
  ])('is in no network called %o', (text) => expect(parseNetwork(text)).toBeUndefined());
});

function inside(text: string, network: string): boolean {
  const address = parseAddress(text);
  const range = parseNetwork(network);
  if (address === undefined || range === undefined) throw new Error(`cannot read ${text} or ${network}`);
  return isInside(address, range);
}
