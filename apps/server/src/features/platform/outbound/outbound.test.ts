import { describe, expect, it } from 'vitest';
import { isPrivate, resolveAddress } from './addresses.ts';
import { createSender } from './send.ts';

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
  const [publicAddress, privateAddress] = [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ];

  it('are not called when a host also has public addresses, unless the policy allows it', async () => {
    const resolve = async () => [publicAddress, privateAddress];
    expect(await resolveAddress(url, { allowPrivate: false, allowedHosts: [] }, resolve)).toBe('private');
    expect(await resolveAddress(url, { allowPrivate: false, allowedHosts: ['HOOK.example'] }, resolve)).toBe(
      publicAddress,
    );
    expect(await resolveAddress(url, { allowPrivate: true, allowedHosts: [] }, resolve)).toBe(publicAddress);
  });

  it.each([
    ['hook.example', 'hook.example', true],
    ['Hook.Example', 'hook.EXAMPLE', true],
    ['hook.example', 'evilhook.example', false],
    ['hook.example', 'a.hook.example', false],
    ['a.hook.example', 'hook.example', false],
    ['hook.example', 'hook.example.evil.test', false],
    ['hook.example', 'hookXexample', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '110.0.0.1.evil.test', false],
    ['10.0.0.1', '10.0.0.11', false],
    ['fd00::1', '[fd00::1]', true],
    ['fd00::1', '[fd00::1:1]', false],
  ])('are allowed for the host %s alone, so for %s: %s', async (allowed, host, isAllowed) => {
    const policy = { allowPrivate: false, allowedHosts: [allowed] };
    const resolved = await resolveAddress(new URL(`http://${host}/`), policy, async () => [privateAddress]);
    expect(resolved !== 'private').toBe(isAllowed);
  });

  it('are not called when a name resolves to another address later (DNS rebinding)', async () => {
    let lookups = 0;
    const resolve = async () => [lookups++ === 0 ? publicAddress : privateAddress];
    expect(await resolveAddress(url, { allowPrivate: false, allowedHosts: [] }, resolve)).toBe(publicAddress);
    const send = createSender({ allowPrivate: false, allowedHosts: [] }, resolve, 10_000);
    expect(await send({ method: 'POST', url: url.href, headers: {}, body: '' })).toEqual({
      failure: 'The host has a private address, which is not allowed.',
      refused: true,
    });
    expect(lookups).toBe(2);
  });
});

describe('a message in another protocol', () => {
  const address = { address: '10.0.0.1', family: 4 };
  const send = createSender({ allowPrivate: false, allowedHosts: [] }, async () => [address], 10_000);
  const url = 'nats://queue.example:4222';

  it('is not sent to a private address, unless the operator configured the receiver', async () => {
    const accept = async (connection: { address: object }) => ({ delivered: JSON.stringify(connection.address) });
    expect(await send({ url, send: accept })).toMatchObject({ refused: true });
    expect(await send({ url, trusted: true, send: accept })).toEqual({ delivered: JSON.stringify(address) });
  });

  it('tells only the code of an error', async () => {
    const reject = async () => {
      throw Object.assign(new Error('password hunter2 is wrong'), { code: 'EAUTH' });
    };
    expect(await send({ url, trusted: true, send: reject })).toEqual({ failure: 'The request failed: EAUTH.' });
  });
});
