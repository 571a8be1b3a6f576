import { describe, expect, it } from 'vitest';
import { type TestServer, useServer } from '#testing/server.ts';

/** Logs in with a wrong password and the X-Forwarded-For header `forwarded`, and returns the status. */
async function guess(server: TestServer, forwarded: string): Promise<number> {
  const reply = await server.anonymous.call('POST /auth/simple/login', {
    body: { username: 'admin', password: 'wrong' },
    headers: { 'x-forwarded-for': forwarded },
  });
  return reply.status;
}

async function guesses(server: TestServer, forwarded: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const each of forwarded) statuses.push(await guess(server, each));
  return statuses;
}

describe('the client address that logins are counted by', () => {
  const direct = useServer({ loginRatePerMinute: 2, trustProxy: 0 });
  const behindOne = useServer({ loginRatePerMinute: 2, trustProxy: 1 });
  const behindTwo = useServer({ loginRatePerMinute: 2, trustProxy: 2 });

  it('is that of the connection when no proxy is trusted', async () => {
    expect(await guesses(direct(), ['192.0.2.1', '192.0.2.2', '192.0.2.3'])).toEqual([401, 401, 429]);
  });

  it('is the address that the trusted proxy appends, not an address that the client sends', async () => {
    const forged = ['203.0.113.1, 192.0.2.1', '203.0.113.2, 192.0.2.1', '203.0.113.3,192.0.2.1'];
    expect(await guesses(behindOne(), forged)).toEqual([401, 401, 429]);
    expect(await guess(behindOne(), '203.0.113.1, 192.0.2.2')).toBe(401);
  });

  it('is the address that the first of two trusted proxies appends', async () => {
    const through = ['203.0.113.1, 192.0.2.1, 198.51.100.1', '203.0.113.2, 192.0.2.1, 198.51.100.2'];
    expect(await guesses(behindTwo(), [...through, '192.0.2.1, 198.51.100.3'])).toEqual([401, 401, 429]);
    expect(await guess(behindTwo(), '192.0.2.2, 198.51.100.1')).toBe(401);
  });

  it('is the /64 network of an IPv6 address, because one customer has many addresses in it', async () => {
    const network = ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:DB8:0:1::3'];
    expect(await guesses(behindOne(), network)).toEqual([401, 401, 429]);
    expect(await guess(behindOne(), '2001:db8:0:2::1')).toBe(401);
  });

  it('is the address without the port that some proxies add', async () => {
    const ports = ['192.0.2.5:1001', '192.0.2.5:1002', '192.0.2.5'];
    expect(await guesses(behindOne(), ports)).toEqual([401, 401, 429]);
    const bracketed = ['[2001:db8:0:5::1]:1001', '[2001:db8:0:5::2]', '2001:db8:0:5::3'];
    expect(await guesses(behindOne(), bracketed)).toEqual([401, 401, 429]);
  });

  it('is the IPv4 address of an IPv4-mapped IPv6 address', async () => {
    expect(await guesses(behindOne(), ['192.0.2.9', '::ffff:192.0.2.9', '::FFFF:192.0.2.9'])).toEqual([401, 401, 429]);
    expect(await guess(behindOne(), '::ffff:192.0.2.10')).toBe(401);
  });
});
