import { describe, expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { createSnsSender, topic } from '#testing/sns.ts';

const hex = (n: number) => n.toString(16).padStart(16, '0');
const senders = [1, 2, 3].map((n) => createSnsSender(`a${hex(n)}`));
const stranger = createSnsSender();

describe('an endpoint of Amazon SNS that gets forged messages', () => {
  // Only the certificates of the three senders can be read, as at Amazon.
  const server = useServer({ signalEndpointsLimit: 1000, badTokenRatePerMinute: 0 }, async (url) => {
    for (const sender of senders) {
      const text = await sender.fetchText(url).catch(() => undefined);
      if (text !== undefined) return text;
    }
    throw new Error('the answer has the status 403');
  });
  const given = async () => {
    const name = freshName('sns');
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', { body: { name, source: 'sns' } });
    const body = { name: 'first', authentication: 'signature', secret: topic } as const;
    const params = { signalEndpointId: json.id };
    await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', { params, body });
    return name;
  };
  const post = (name: string, raw: Buffer) =>
    server().anonymous.request('POST', `/api/signal-endpoint/${name}`, {
      raw,
      headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' },
    });
  const message = () => ({
    Type: 'Notification',
    MessageId: crypto.randomUUID(),
    TopicArn: topic,
    Message: '{"AlarmName":"checkout-5xx","NewStateValue":"ALARM"}',
    Timestamp: new Date(server().clock.now()).toISOString(),
  });
  const genuine = (name: string, n: 0 | 1 | 2) => post(name, (senders[n] as (typeof senders)[number]).sign(message()));
  let forged = 0;
  const forge = async (name: string, count: number) => {
    for (let n = 0; n < count; n++) {
      const SigningCertURL = `https://sns.eu-north-1.amazonaws.com/SimpleNotificationService-f${hex(++forged)}.pem`;
      expect((await post(name, stranger.sign(message(), { before: { SigningCertURL } }))).status).toBe(503);
    }
  };

  it('takes the messages of a certificate that it knows, however many forged ones name others', async () => {
    const endpoint = await given();
    expect((await genuine(endpoint, 0)).status).toBe(200);
    for (let minute = 0; minute < 7; minute++) {
      await forge(endpoint, 12);
      expect((await genuine(endpoint, 0)).status).toBe(200);
      server().clock.advance(60_001);
    }
    // A day later the certificate is fetched again, although the fetches of the endpoint are used up.
    server().clock.advance(24 * 60 * 60_000);
    await forge(endpoint, 12);
    expect((await genuine(endpoint, 0)).status).toBe(200);
  });

  it('answers the first message of another certificate 503 with Retry-After, and takes its repetition', async () => {
    const endpoint = await given();
    await forge(endpoint, 12);
    const reply = await genuine(endpoint, 1);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '60']);
    server().clock.advance(60_001);
    expect((await genuine(endpoint, 1)).status).toBe(200);
  });

  it('does not use up the fetches of another endpoint', async () => {
    const [attacked, other] = [await given(), await given()];
    await forge(attacked, 12);
    expect((await genuine(other, 2)).status).toBe(200);
  });
});
