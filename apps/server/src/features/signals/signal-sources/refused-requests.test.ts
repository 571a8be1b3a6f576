import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { SignalSourceName } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { received } from '#testing/signals.ts';
import { type Signed, signers } from '#testing/signatures.ts';
import { signalSources } from './index.ts';

/** The senders that sign with a shared secret. Amazon SNS signs by a certificate: see sns.test.ts. */
const signing = ['pagerduty', 'sentry', 'checkly', 'github', 'slack', 'standard-webhooks'] as const;
type Signing = (typeof signing)[number];
/** The senders that sign the time of a request. */
const timed: readonly Signing[] = ['slack', 'standard-webhooks'];

/** A request of each sender, with the headers that identify its delivery. */
const deliveries: Readonly<Record<Signing, { readonly file: string; readonly headers?: Record<string, string> }>> = {
  pagerduty: { file: 'pagerduty-v3-incident-triggered.json' },
  sentry: { file: 'sentry-issue-created.json', headers: { 'request-id': 'delivery-1' } },
  checkly: { file: 'checkly-alert.json' },
  github: { file: 'github-deployment_status.json', headers: { 'x-github-delivery': 'delivery-1' } },
  slack: { file: 'slack-slash-command.txt' },
  'standard-webhooks': { file: 'standard-webhooks-alert.json' },
};
const form = 'application/x-www-form-urlencoded';
const typeOf = (source: SignalSourceName) => (source === 'slack' ? form : 'application/json');
const signatureHeader = (source: Signing) => signalSources[source].signature?.header ?? '';
const signedBy = (source: Signing, signed: Signed) => signers[source]?.(signed) ?? {};
const otherSecret = (secret: string) => `${secret.slice(0, -4)}AAA=`;

type Values = Readonly<Record<string, string>>;
/** Returns the headers of a request that must be refused. */
type Forge = (source: Signing, signed: Signed) => Values;
const withSignature =
  (change: (value: string) => string, secretOf = (secret: string) => secret): Forge =>
  (source, signed) => {
    const headers = signedBy(source, { ...signed, secret: secretOf(signed.secret) });
    const name = signatureHeader(source);
    return { ...headers, [name]: change(headers[name] ?? '') };
  };

const forged: readonly (readonly [what: string, reason: string, forge: Forge])[] = [
  ['no signature', 'no credentials', (source, signed) => without(signatureHeader(source), signedBy(source, signed))],
  ['an empty signature', 'wrong signature', withSignature(() => '')],
  ['the signature of another key', 'wrong signature', withSignature((value) => value, otherSecret)],
  ['a truncated signature', 'wrong signature', withSignature((value) => value.slice(0, -4))],
  ['two wrong signatures', 'wrong signature', withSignature((value) => `${value}, ${value}`, otherSecret)],
  [
    'the signature of a body with another byte',
    'wrong signature',
    (source, signed) => signedBy(source, { ...signed, body: withOtherByte(signed.body) }),
  ],
];

function without(name: string, { [name]: _, ...rest }: Values): Values {
  return rest;
}

function withOtherByte(body: Buffer): Buffer {
  const other = Buffer.from(body);
  other.writeUInt8(other.readUInt8(other.length >> 1) ^ 1, other.length >> 1);
  return other;
}

describe('a request to a signal endpoint', () => {
  const requested: string[] = [];
  const server = useServer({ signalEndpointsLimit: 1000, badTokenRatePerMinute: 0 }, async (url) => {
    requested.push(url);
    throw new Error('no call is expected');
  });
  const seconds = () => Math.floor(server().clock.now() / 1000);
  const given = async (source: SignalSourceName, token: object = { authentication: 'signature' }) => {
    const name = freshName('refused');
    const { json: endpoint } = await server().admin.call('POST /api/admin/signal-endpoints', {
      body: { name, source },
    });
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
      params: { signalEndpointId: endpoint.id },
      body: { name: 'first', ...token },
    });
    return { id: endpoint.id as number, name, secret: json.token as string };
  };
  const post = (name: string, raw: Buffer, headers: Values) =>
    server().anonymous.request('POST', `/api/signal-endpoint/${name}`, { raw, headers });
  /** Returns the number of stored signals, and why requests were refused. */
  const outcome = async ({ id }: { id: number }) => {
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', { params: { id } });
    const stored: number = (await received(server(), { id })).json.signalEndpointSignals.length;
    return { stored, refusals: json.refusals.map(({ reason }: { reason: string }) => reason), requested };
  };
  const refusedBy = (...refusals: string[]) => ({ stored: 0, refusals, requested: [] });

  describe.each(signing)('of %s', (source) => {
    const body = readFileSync(new URL(`../../../../../../tests/payloads/${deliveries[source].file}`, import.meta.url));
    const headersOf = (more: Values) => ({ 'content-type': typeOf(source), ...deliveries[source].headers, ...more });

    it.each(forged)('is refused with %s', async (_what, reason, forge) => {
      const place = await given(source);
      const headers = forge(source, { secret: place.secret, body, seconds: seconds() });
      expect((await post(place.name, body, headersOf(headers))).status).toBe(401);
      expect(await outcome(place)).toEqual(refusedBy(reason));
    });

    it('is refused when it is compressed, and not inflated', async () => {
      // The library that signs Standard Webhooks in these tests takes only text, so its body is not compressed.
      const bomb = source === 'standard-webhooks' ? Buffer.from('{}') : gzipSync(Buffer.alloc(10_000_000));
      const place = await given(source);
      const signature = signedBy(source, { secret: place.secret, body: bomb, seconds: seconds() });
      const reply = await post(place.name, bomb, headersOf({ ...signature, 'content-encoding': 'gzip' }));
      expect(reply.status).toBe(415);
      expect(await outcome(place)).toEqual(refusedBy('wrong media type'));
    });

    it('is stored once when it is repeated', async () => {
      const place = await given(source);
      const signature = signedBy(source, { secret: place.secret, body, seconds: seconds() });
      const send = async () => (await post(place.name, body, headersOf(signature))).json;
      const [first, second] = [await send(), await send()];
      expect([first.duplicate, second.duplicate]).toEqual([false, true]);
      expect(await outcome(place)).toEqual({ ...refusedBy(), stored: 1 });
    });

    it('is admitted with the right signature twice, or beside a wrong one', async () => {
      const place = await given(source);
      const signed = { secret: place.secret, body, seconds: seconds() };
      const wrong = signedBy(source, { ...signed, secret: otherSecret(place.secret) })[signatureHeader(source)];
      for (const change of [(value: string) => `${value}, ${value}`, (value: string) => `${wrong}, ${value}`])
        expect((await post(place.name, body, headersOf(withSignature(change)(source, signed)))).status).toBe(200);
    });
  });

  it.each(timed.flatMap((source) => [-301, 301].map((offset) => [source, offset] as const)))(
    'of %s is refused when it was signed %i s from now',
    async (source, offset) => {
      const place = await given(source);
      const body = Buffer.from(source === 'slack' ? 'text=off' : '{}');
      const signature = signedBy(source, { secret: place.secret, body, seconds: seconds() + offset });
      const reply = await post(place.name, body, { 'content-type': typeOf(source), ...signature });
      expect(reply.status).toBe(401);
      expect(await outcome(place)).toEqual(refusedBy('expired'));
    },
  );

  it.each(['github', 'slack', 'datadog'] as const)('of %s is refused as a form with 10 MB of JSON', async (source) => {
    const isSigned = source !== 'datadog';
    const place = await given(source, isSigned ? undefined : { authentication: 'bearer' });
    const body = Buffer.from(`payload=${encodeURIComponent(JSON.stringify({ text: 'a'.repeat(10_000_000) }))}`);
    const proof = isSigned
      ? signedBy(source, { secret: place.secret, body, seconds: seconds() })
      : { authorization: `Bearer ${place.secret}` };
    expect((await post(place.name, body, { 'content-type': form, ...proof })).status).toBe(413);
    expect(await outcome(place)).toEqual(refusedBy('too large'));
  });
});
