import { describe, expect, it } from 'vitest';
import { author } from '#testing/database.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { received } from '#testing/signals.ts';
import { createSnsSender, topic } from '#testing/sns.ts';
import { subscriptionScenarios } from './subscriptions.scenarios.ts';

const sender = createSnsSender();
const stranger = createSnsSender();
const server = useServer({ signalEndpointsLimit: 1000, badTokenRatePerMinute: 0 }, sender.fetchText);
const region = 'https://sns.eu-north-1.amazonaws.com';

let made = 0;

async function given(secret = topic) {
  const name = `sns-${++made}`;
  const { json } = await server().admin.call('POST /api/admin/signal-endpoints', { body: { name, source: 'sns' } });
  const params = { signalEndpointId: json.id };
  const body = { name: 'first', authentication: 'signature', secret } as const;
  const token = await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
    params,
    body,
  });
  return { id: json.id as number, name, token };
}

const messageId = () => `22b80b92-fdea-4c2c-8f9d-${String(++made).padStart(12, '0')}`;
const now = () => new Date(server().clock.now()).toISOString();
const notification = (more: object = {}) => ({
  Type: 'Notification',
  MessageId: messageId(),
  TopicArn: topic,
  Message: JSON.stringify({ AlarmName: 'checkout-5xx', NewStateValue: 'ALARM' }),
  Timestamp: now(),
  ...more,
});
const confirmation = (more: object = {}) => ({
  Type: 'SubscriptionConfirmation',
  MessageId: messageId(),
  TopicArn: topic,
  Token: '2336412f37',
  Message: 'You have chosen to subscribe.',
  SubscribeURL: `${region}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37`,
  Timestamp: now(),
  ...more,
});

const post = (name: string, raw: Buffer, more: Readonly<Record<string, string>> = {}) => {
  const message = JSON.parse(raw.toString());
  return server().anonymous.request('POST', `/api/signal-endpoint/${name}`, {
    raw,
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': message.Type,
      'x-amz-sns-message-id': message.MessageId,
      ...more,
    },
  });
};
const refusals = async ({ id }: { id: number }) => {
  const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', { params: { id } });
  return json.refusals.map(({ reason }: { reason: string }) => reason);
};
const stored = async (endpoint: { id: number }) =>
  (await received(server(), endpoint)).json.signalEndpointSignals.length as number;
const subscriptions = async ({ id }: { id: number }) =>
  (await server().admin.call('GET /api/admin/signal-endpoints/:id/subscriptions', { params: { id } })).json
    .subscriptions;

describe('routes of subscriptions', () => testScenarios(server, subscriptionScenarios));

describe('a message of Amazon SNS', () => {
  it.each(['1', '2'])(
    'with a signature of version %s is stored once, with the alarm in it',
    async (SignatureVersion) => {
      const endpoint = await given();
      const raw = sender.sign(notification({ Subject: 'ALARM' }), { before: { SignatureVersion } });
      const [first, second] = [await post(endpoint.name, raw), await post(endpoint.name, raw)];
      expect([first.status, second.json.duplicate]).toEqual([200, true]);
      expect(first.json.signals[0].normalized).toMatchObject({ state: 'firing', title: 'checkout-5xx' });
      expect(await stored(endpoint)).toBe(1);
    },
  );

  it.each([{ 'x-amz-sns-message-id': 'another' }, { 'idempotency-key': 'another' }, { 'webhook-id': 'another' }])(
    'is stored once, although a repetition has the header %o, which is not signed',
    async (header: Readonly<Record<string, string>>) => {
      const endpoint = await given();
      const raw = sender.sign(notification());
      const [first, second] = [await post(endpoint.name, raw), await post(endpoint.name, raw, header)];
      expect([first.status, second.json.duplicate]).toEqual([200, true]);
    },
  );

  it('fetches its certificate once', async () => {
    const endpoint = await given();
    await post(endpoint.name, sender.sign(notification()));
    sender.requested.length = 0;
    for (let n = 0; n < 3; n++) await post(endpoint.name, sender.sign(notification()));
    expect(sender.requested).toEqual([]);
  });

  it.each([
    ['another byte in the message', { after: { Message: '{}' } }, 'wrong signature'],
    ['a subject that was added', { after: { Subject: 'Added' } }, 'wrong signature'],
    ['a signature of another version', { after: { SignatureVersion: '1' } }, 'wrong signature'],
    ['an unknown version', { after: { SignatureVersion: '3' } }, 'no signature'],
    ['no signature', { after: { Signature: '' } }, 'no signature'],
    ['an unknown type', { before: { Type: 'Other' } }, 'no signature'],
    ['a topic that the token does not take', { before: { TopicArn: `${topic}-of-others` } }, 'wrong topic'],
    ['a time of two days ago', { before: { Timestamp: '2025-01-01T00:00:00.000Z' } }, 'expired'],
    ['no time', { before: { Timestamp: '' } }, 'expired'],
    [
      'a certificate of another host',
      { before: { SigningCertURL: 'https://sns.example.com/SimpleNotificationService-0123456789abcdef.pem' } },
      'wrong signature',
    ],
    [
      'a certificate at a host that begins like one of Amazon',
      {
        before: { SigningCertURL: 'https://sns.eu-north-1.amazonaws.com.evil.example/SimpleNotificationService-0.pem' },
      },
      'wrong signature',
    ],
    [
      'a certificate without TLS',
      {
        before: { SigningCertURL: `${region.replace('https', 'http')}/SimpleNotificationService-0123456789abcdef.pem` },
      },
      'wrong signature',
    ],
    [
      'a certificate at another path of Amazon',
      { before: { SigningCertURL: `${region}/bucket/SimpleNotificationService-0123456789abcdef.pem` } },
      'wrong signature',
    ],
  ])('with %s is refused, and calls nobody', async (_what, more, reason) => {
    const endpoint = await given();
    await post(endpoint.name, sender.sign(notification()));
    sender.requested.length = 0;
    const reply = await post(endpoint.name, sender.sign(notification(), more));
    expect([reply.status, await stored(endpoint), await refusals(endpoint)]).toEqual([401, 1, [reason]]);
    expect(sender.requested).toEqual([]);
  });

  it('of another key is refused', async () => {
    const endpoint = await given();
    expect((await post(endpoint.name, stranger.sign(notification()))).status).toBe(401);
    expect(await refusals(endpoint)).toEqual(['wrong signature']);
  });

  it('whose certificate cannot be read is answered 503 for a repetition, and asks again after a minute at the earliest', async () => {
    const endpoint = await given();
    const before = { SigningCertURL: `${region}/SimpleNotificationService-00000000000000ff.pem` };
    sender.requested.length = 0;
    for (let n = 0; n < 3; n++) {
      const reply = await post(endpoint.name, sender.sign(notification(), { before }));
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '60']);
    }
    expect([sender.requested.length, await refusals(endpoint)]).toEqual([1, ['no certificate']]);
    server().clock.advance(60_001);
    await post(endpoint.name, sender.sign(notification(), { before }));
    expect(sender.requested).toHaveLength(2);
  });

  it('asks for ten certificates a minute of an endpoint at most, whatever their names', async () => {
    const endpoint = await given();
    server().clock.advance(60_001);
    sender.requested.length = 0;
    for (let n = 0; n < 15; n++) {
      const before = { SigningCertURL: `${region}/SimpleNotificationService-${String(n).padStart(16, '0')}.pem` };
      await post(endpoint.name, sender.sign(notification(), { before }));
    }
    expect(sender.requested).toHaveLength(10);
    server().clock.advance(60_001);
  });

  it('is taken for each of the topics of a token, which must be ARNs', async () => {
    const both = await given(`${topic}-of-others,${topic}`);
    expect((await post(both.name, sender.sign(notification()))).status).toBe(200);
    expect((await given('not-an-arn-of-a-topic')).token).toMatchObject({
      status: 400,
      json: { details: [{ path: 'secret' }] },
    });
    const params = { signalEndpointId: both.id };
    const body = { name: 'second', authentication: 'signature' } as const;
    const route = 'POST /api/admin/signal-endpoints/:signalEndpointId/tokens';
    expect((await server().admin.call(route, { params, body })).json.details[0].message).toContain('Topic ARN');
  });
});

describe('a subscription of Amazon SNS', () => {
  const confirm = 'POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/confirm';
  const end = 'POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/end';

  it('is no signal, waits for an administrator, and is confirmed and ended at Amazon', async () => {
    const endpoint = await given();
    const reply = await post(endpoint.name, sender.sign(confirmation()));
    expect(reply.json).toEqual({ signals: [], duplicate: false });
    const [{ id: subscriptionId, ...asked }] = await subscriptions(endpoint);
    expect([asked.topic, asked.state, await stored(endpoint)]).toEqual([topic, 'pending', 0]);
    const params = { id: endpoint.id, subscriptionId };
    expect((await server().admin.call(end, { params })).status).toBe(409);
    sender.requested.length = 0;
    expect((await server().admin.call(confirm, { params })).json).toMatchObject({ state: 'confirmed' });
    expect((await server().admin.call(end, { params })).json).toMatchObject({ state: 'ended' });
    expect(sender.requested).toEqual([
      `${region}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37`,
      `${region}/?Action=Unsubscribe&SubscriptionArn=${encodeURIComponent(`${topic}:c9135db0`)}`,
    ]);
    const { events } = (await server().admin.call('GET /api/admin/events', { query: { limit: 2 } })).json;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'signal-subscription-ended',
      'signal-subscription-confirmed',
    ]);
  });

  it('that Amazon refuses to confirm stays pending', async () => {
    const endpoint = await given();
    const SubscribeURL = `${region}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=expired`;
    await post(endpoint.name, sender.sign(confirmation({ SubscribeURL })));
    const [{ id: subscriptionId }] = await subscriptions(endpoint);
    const reply = await server().admin.call(confirm, { params: { id: endpoint.id, subscriptionId } });
    expect([reply.status, reply.json.message]).toEqual([409, expect.stringContaining('status 403')]);
    expect(await subscriptions(endpoint)).toMatchObject([{ state: 'pending' }]);
  });

  it('with an address of another host or an odd topic is refused, also from a sender with a token', async () => {
    const endpoint = await given();
    const params = { signalEndpointId: endpoint.id };
    const body = { name: 'raw', authentication: 'path' } as const;
    const route = 'POST /api/admin/signal-endpoints/:signalEndpointId/tokens';
    const { token } = (await server().admin.call(route, { params, body })).json;
    const message = confirmation({
      SubscribeURL: 'https://sns.eu-north-1.amazonaws.com.evil.example/?Action=ConfirmSubscription',
    });
    const reply = await post(`${endpoint.name}/${token}`, Buffer.from(JSON.stringify(message)));
    expect([reply.status, await subscriptions(endpoint)]).toEqual([400, []]);
    // PostgreSQL stores no U+0000.
    const odd = confirmation({ TopicArn: `${topic}\0` });
    const refused = await post(`${endpoint.name}/${token}`, Buffer.from(JSON.stringify(odd)));
    expect([refused.status, await subscriptions(endpoint)]).toEqual([400, []]);
    const escaped = confirmation({ SubscribeURL: `${region}/?Action=ConfirmSubscription&Token=\0` });
    const taken = await post(`${endpoint.name}/${token}`, Buffer.from(JSON.stringify(escaped)));
    expect([taken.status, await subscriptions(endpoint)]).toMatchObject([200, [{ topic, state: 'pending' }]]);
  });

  it('takes the place of the oldest that is not confirmed, when an endpoint has 20', async () => {
    const topics = Array.from({ length: 22 }, (_, n) => `${topic}-${n}`);
    const endpoint = await given();
    const params = { signalEndpointId: endpoint.id };
    const body = { name: 'raw', authentication: 'path' } as const;
    const route = 'POST /api/admin/signal-endpoints/:signalEndpointId/tokens';
    const { token } = (await server().admin.call(route, { params, body })).json;
    const ask = (TopicArn: string) => {
      server().clock.advance(1000);
      const SubscribeURL = `${region}/?Action=ConfirmSubscription&TopicArn=${TopicArn}&Token=2336412f37`;
      return post(`${endpoint.name}/${token}`, Buffer.from(JSON.stringify(confirmation({ TopicArn, SubscribeURL }))));
    };
    for (const TopicArn of topics) expect((await ask(TopicArn)).status).toBe(200);
    const names = async () => (await subscriptions(endpoint)).map((known: { topic: string }) => known.topic).toSorted();
    expect(await names()).toEqual(topics.slice(2).toSorted());
    await server().app.database.writeQuietly('signal ingest', author, async (tx) => {
      const confirmed = tx.db.updateTable('signal_subscriptions').set({ state: 'confirmed' });
      await confirmed.where('endpoint_id', '=', endpoint.id).execute();
    });
    const refused = await ask(topics[0] ?? '');
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('End one first.')]);
    expect(await names()).toEqual(topics.slice(2).toSorted());
  });

  it('that ended at Amazon is shown as ended, and can be confirmed again', async () => {
    const endpoint = await given();
    await post(endpoint.name, sender.sign(confirmation({ Type: 'UnsubscribeConfirmation' })));
    const [{ id: subscriptionId, state }] = await subscriptions(endpoint);
    expect(state).toBe('ended');
    const reply = await server().admin.call(confirm, { params: { id: endpoint.id, subscriptionId } });
    expect(reply.json).toMatchObject({ state: 'confirmed' });
  });
});
