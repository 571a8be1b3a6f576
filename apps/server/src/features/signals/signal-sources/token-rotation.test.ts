import type { SignalSourceName } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { signers } from '#testing/signatures.ts';
import { createSnsSender, topic } from '#testing/sns.ts';

/** A source whose requests are signed. Two tokens of an endpoint have the keys of two senders. */
const secrets = ['first-key-of-the-sender', 'second-key-of-the-sender', 'third-key-of-the-sender'] as const;
const encoded = (secret: string) => `whsec_${Buffer.from(secret).toString('base64')}`;
/** Amazon SNS has one key for all topics, and the secret of a token is a topic. */
const sns = createSnsSender();
const topics = [topic, `${topic}-2`, `${topic}-3`] as const;

const server = useServer({ signalEndpointsLimit: 1000, badTokenRatePerMinute: 0 }, sns.fetchText);

const secretsOf = (source: SignalSourceName): readonly string[] =>
  source === 'sns' ? topics : source === 'standard-webhooks' ? secrets.map(encoded) : secrets;

async function post(source: SignalSourceName, name: string, secret: string): Promise<number> {
  const seconds = Math.floor(server().clock.now() / 1000);
  const signer = signers[source];
  if (signer === undefined) throw new Error(`${source} has no signer`);
  const message = {
    Type: 'Notification',
    MessageId: freshName('message'),
    TopicArn: secret,
    Message: freshName('text'),
  };
  const Timestamp = new Date(seconds * 1000).toISOString();
  const json = Buffer.from(JSON.stringify({ id: freshName('body') }));
  const raw = source === 'sns' ? sns.sign({ ...message, Timestamp }) : json;
  const headers = { 'content-type': 'application/json', ...signer({ secret, body: raw, seconds }) };
  return (await server().anonymous.request('POST', `/api/signal-endpoint/${name}`, { raw, headers })).status;
}

describe.each(Object.keys(signers) as SignalSourceName[])('the signatures of %s', (source) => {
  it('are admitted for each token of an endpoint while a key is rotated, and for none that was deleted', async () => {
    const body = { name: freshName('rotating'), source };
    const { id: signalEndpointId } = (await server().admin.call('POST /api/admin/signal-endpoints', { body })).json;
    const tokens = '/api/admin/signal-endpoints/:signalEndpointId/tokens' as const;
    const ids: number[] = [];
    const [first = '', second = '', third = ''] = secretsOf(source);
    const add = async (secret: string) => {
      const token = { name: freshName('key'), authentication: 'signature', secret };
      const reply = await server().admin.call(`POST ${tokens}`, { params: { signalEndpointId }, body: token });
      expect(reply.status, reply.text).toBe(201);
      ids.push(reply.json.id);
    };
    const statuses = async () => {
      const answers: number[] = [];
      for (const secret of [first, second, third]) answers.push(await post(source, body.name, secret));
      return answers;
    };
    await add(first);
    expect(await statuses()).toEqual([200, 401, 401]);
    await add(second);
    expect(await statuses()).toEqual([200, 200, 401]);
    // The second rotation: the key before the last one goes, and a third comes.
    const params = { signalEndpointId, id: ids[0] ?? 0 };
    expect((await server().admin.call(`DELETE ${tokens}/:id`, { params })).status).toBe(200);
    await add(third);
    expect(await statuses()).toEqual([401, 200, 200]);
  });
});
