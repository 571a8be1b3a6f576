import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RawConnection } from '#testing/raw-http.ts';
import { useServer } from '#testing/server.ts';
import { received } from '#testing/signals.ts';

const server = useServer({ signalEndpointsLimit: 1000, badTokenRatePerMinute: 0 });
const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const github = (secret: string, body: string) => ({ 'x-hub-signature-256': `sha256=${hex(secret, body)}` });
const slack = (secret: string, body: string, seconds: number) => ({
  'content-type': 'application/x-www-form-urlencoded',
  'x-slack-request-timestamp': `${seconds}`,
  'x-slack-signature': `v0=${hex(secret, `v0:${seconds}:${body}`)}`,
});

let made = 0;

async function givenSigned(source: 'github' | 'slack' | 'pagerduty' | 'alertmanager', more: object = {}) {
  const name = `signed-${++made}`;
  const { json: endpoint } = await server().admin.call('POST /api/admin/signal-endpoints', { body: { name, source } });
  const reply = await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
    params: { signalEndpointId: endpoint.id },
    body: { name: 'first', authentication: 'signature', ...more },
  });
  return { id: endpoint.id as number, name, secret: reply.json.token as string, reply };
}

const post = (name: string, raw: string | Buffer, headers: Readonly<Record<string, string>>) =>
  server().anonymous.request('POST', `/api/signal-endpoint/${name}`, {
    raw,
    headers: { 'content-type': 'application/json', ...headers },
  });
const stored = async (endpoint: { id: number }) =>
  (await received(server(), endpoint)).json.signalEndpointSignals.length as number;
const refusals = async (endpoint: { id: number }) => {
  const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', {
    params: { id: endpoint.id },
  });
  return json.refusals.map(({ reason }: { reason: string }) => reason);
};

describe('signed signals', () => {
  it.each([
    ['a body with another byte', '{"n":2}', (secret: string) => github(secret, '{"n":1}'), 'wrong signature'],
    [
      'a truncated signature',
      '{}',
      (secret: string) => ({ 'x-hub-signature-256': `sha256=${hex(secret, '{}').slice(0, -2)}` }),
      'wrong signature',
    ],
    [
      'a signature without its prefix',
      '{}',
      (secret: string) => ({ 'x-hub-signature-256': hex(secret, '{}') }),
      'wrong signature',
    ],
    ['an empty signature', '{}', () => ({ 'x-hub-signature-256': 'sha256=' }), 'wrong signature'],
    [
      'the signature of another sender',
      '{}',
      (secret: string) => ({ 'sentry-hook-signature': hex(secret, '{}') }),
      'no signature',
    ],
    ['no signature', '{}', () => ({}), 'no credentials'],
    [
      'the secret as a bearer token',
      '{}',
      (secret: string) => ({ authorization: `Bearer ${secret}` }),
      'unknown token',
    ],
  ] as const)('refuses %s', async (_what, body, headers, reason) => {
    const endpoint = await givenSigned('github');
    const reply = await post(endpoint.name, body, headers(endpoint.secret) as Record<string, string>);
    expect(reply.status).toBe(401);
    expect(await stored(endpoint)).toBe(0);
    expect(await refusals(endpoint)).toEqual([reason]);
    const unknown = await post('no-such-endpoint', body, headers(endpoint.secret) as Record<string, string>);
    expect([unknown.status, unknown.json.message]).toEqual([401, reply.json.message]);
  });

  it('admits one of several signatures, for a sender that rotates its key', async () => {
    const endpoint = await givenSigned('pagerduty', { secret: 'the-key-of-pagerduty' });
    expect(endpoint.secret).toBe('the-key-of-pagerduty');
    const signatures = `v1=${hex('older-key-of-pagerduty', '{}')}, v1=${hex(endpoint.secret, '{}')}`;
    expect((await post(endpoint.name, '{}', { 'x-pagerduty-signature': signatures })).status).toBe(200);
  });

  it('refuses a signed request that is older than five minutes', async () => {
    const endpoint = await givenSigned('slack');
    const seconds = Math.floor(server().clock.now() / 1000);
    const send = () => post(endpoint.name, 'text=off', slack(endpoint.secret, 'text=off', seconds));
    expect((await send()).json.signals[0].payload).toEqual({ text: 'off' });
    server().clock.advance(301_000);
    expect((await send()).status).toBe(401);
    expect(await refusals(endpoint)).toEqual(['expired']);
  });

  it('stores a repeated delivery of the sender once', async () => {
    const endpoint = await givenSigned('github');
    const headers = { ...github(endpoint.secret, '{}'), 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' };
    const [first, second] = [await post(endpoint.name, '{}', headers), await post(endpoint.name, '{}', headers)];
    expect([first?.json.duplicate, second?.json.duplicate]).toEqual([false, true]);
    expect(await stored(endpoint)).toBe(1);
  });

  it('takes the JSON of a form that was signed as it was sent', async () => {
    const endpoint = await givenSigned('github');
    const body = `payload=${encodeURIComponent('{"action":"completed"}')}`;
    const headers = { ...github(endpoint.secret, body), 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(endpoint.name, body, headers)).json.signals[0].payload).toEqual({ action: 'completed' });
    const other = { ...github(endpoint.secret, 'text=a'), 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(endpoint.name, 'text=a', other)).status).toBe(400);
    expect(await refusals(endpoint)).toEqual(['invalid body']);
  });

  it('bounds the body before it verifies, and does not inflate it', async () => {
    const endpoint = await givenSigned('github');
    const large = `payload=${'a'.repeat(10_000_000)}`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(endpoint.name, large, { ...github(endpoint.secret, large), ...form })).status).toBe(413);
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const signature = `sha256=${createHmac('sha256', endpoint.secret).update(bomb).digest('hex')}`;
    const headers = { 'x-hub-signature-256': signature, 'content-encoding': 'gzip' };
    expect((await post(endpoint.name, bomb, headers)).status).toBe(415);
    expect((await refusals(endpoint)).sort()).toEqual(['too large', 'wrong media type']);
    expect(await stored(endpoint)).toBe(0);
  });

  it('shows the secret once, and in no event', async () => {
    const endpoint = await givenSigned('github');
    const { text } = await server().admin.call('GET /api/admin/signal-endpoints');
    expect(text).not.toContain(endpoint.secret);
    const events = await server().admin.call('GET /api/admin/events');
    expect(events.text).not.toContain(endpoint.secret);
    expect(events.json.events[0]).toMatchObject({
      type: 'signal-endpoint-token-created',
      data: { authentication: 'signature', header: null },
    });
  });

  it('refuses an authentication that the source does not have', async () => {
    const { reply } = await givenSigned('alertmanager');
    expect([reply.status, reply.json.details[0].path]).toEqual([400, 'authentication']);
    const short = await givenSigned('github', { secret: 'short' });
    expect([short.reply.status, short.reply.json.details[0].path]).toEqual([400, 'secret']);
  });
});

describe('the bodies of senders that are not known yet', () => {
  it('are bounded together: the oldest of those that are still read is refused, and a genuine signal gets in', async () => {
    const bytes = 1024 * 1024;
    const endpoint = await givenSigned('pagerduty');
    const request = `POST /api/signal-endpoint/${endpoint.name} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-PagerDuty-Signature: v1=none\r\nContent-Length: ${bytes}\r\n\r\n`;
    const unfinished = Buffer.concat([Buffer.from(request), Buffer.alloc(bytes - 1, ' ')]);
    const connections: RawConnection[] = [];
    const open = async () => {
      const connection = await RawConnection.open(server().url);
      connections.push(connection);
      connection.write(unfinished);
      return connection;
    };
    try {
      const first = await open();
      for (let n = 1; n < 70; n++) await open();
      const { status, headers } = await first.head();
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      const body = JSON.stringify({ text: 'x'.repeat(bytes - 100) });
      const signature = `v1=${hex(endpoint.secret, body)}`;
      expect((await post(endpoint.name, body, { 'x-pagerduty-signature': signature })).status).toBe(200);
      connections.at(-1)?.write(' ');
      expect((await connections.at(-1)?.head())?.status).toBe(401);
    } finally {
      for (const connection of connections) connection.end();
    }
  });
});
