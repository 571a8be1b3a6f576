import { describe, expect, it } from 'vitest';
import { addressOf, isPrivate } from './addresses.ts';
import { sender } from './send.ts';

describe('private addresses', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ])('include %s', (address) => expect(isPrivate(address)).toBe(true));

  it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111'])('do not include %s', (address) =>
    expect(isPrivate(address)).toBe(false),
  );

  const url = new URL('http://hook.example/');
  const [open, near] = [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ];

  it('are not called when a host has one among others, unless it is allowed', async () => {
    const resolve = async () => [open, near];
    expect(await addressOf(url, { allowPrivate: false, allowedHosts: [] }, resolve)).toBe('private');
    expect(await addressOf(url, { allowPrivate: false, allowedHosts: ['HOOK.example'] }, resolve)).toBe(open);
    expect(await addressOf(url, { allowPrivate: true, allowedHosts: [] }, resolve)).toBe(open);
  });

  it('are not called by a name that meant another address when it was set', async () => {
    let asked = 0;
    const resolve = async () => [asked++ === 0 ? open : near];
    expect(await addressOf(url, { allowPrivate: false, allowedHosts: [] }, resolve)).toBe(open);
    const send = sender({ allowPrivate: false, allowedHosts: [] }, resolve);
    expect(await send({ method: 'POST', url: url.href, headers: {}, body: '' })).toEqual({
      failure: 'The address is a private one.',
      refused: true,
    });
    expect(asked).toBe(2);
  });
});
