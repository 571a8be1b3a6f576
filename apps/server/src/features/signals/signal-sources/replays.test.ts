import type { SignalSourceName } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/signals.ts';
import { signers } from '#testing/signatures.ts';
import { signalSources } from './index.ts';

const sources = Object.values(signalSources);
/** The headers in which some sender has the id of a delivery. */
const idHeaders = [
  'idempotency-key',
  'webhook-id',
  'x-webhook-id',
  'x-github-delivery',
  'request-id',
  'x-gitlab-event-uuid',
  'x-honeycomb-webhook-delivery-id',
  'x-amz-sns-message-id',
];
/** Amazon signs with a certificate: sns.test.ts has its replays. */
const signed = sources.filter(({ signature, name }) => signature !== undefined && name !== 'sns');

describe('a captured request', () => {
  const server = useServer({ signalEndpointsLimit: 1000, signalTokensLimit: 1000 });
  const given = async (source: SignalSourceName, authentication: 'signature' | 'header') => {
    const body = { name: freshName('r'), source };
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', { body });
    return {
      name: json.name as string,
      token: async () => (await givenToken(server(), json.id, freshName('t'), { authentication })).secret,
    };
  };
  const post = (name: string, text: string, headers: Readonly<Record<string, string>>) =>
    server().anonymous.request('POST', `/api/signal-endpoint/${name}`, {
      raw: Buffer.from(text),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const bodyOf = (source: SignalSourceName, n: number) => {
    if (source === 'slack') return `text=off&trigger_id=${n}`;
    return JSON.stringify({ event: { id: `e${n}` }, result_id: `r${n}`, alert_type: 'ALERT_FAILURE', n });
  };
  const typeOf = (source: SignalSourceName): Record<string, string> =>
    source === 'slack' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};

  it.each(signed)('of $name is stored once, whatever the ids in its headers', async ({ name }) => {
    const endpoint = await given(name, 'signature');
    const secret = await endpoint.token();
    const signedAs = (text: string) => {
      const seconds = Math.floor(server().clock.now() / 1000);
      return { ...typeOf(name), ...signers[name]?.({ secret, body: Buffer.from(text), seconds }) };
    };
    const text = bodyOf(name, 1);
    const headers = signedAs(text);
    // A header that the sender signs cannot be replaced.
    const free = idHeaders.filter((header) => !(header in headers));
    const first = await post(endpoint.name, text, headers);
    expect([first.status, first.json.duplicate]).toEqual([200, false]);
    const replays = [{}, ...free.map((header) => ({ [header]: freshName('other') }))];
    for (const more of replays)
      expect((await post(endpoint.name, text, { ...headers, ...more })).json.duplicate).toBe(true);
    const next = bodyOf(name, 2);
    expect((await post(endpoint.name, next, { ...signedAs(next), [free[0] as string]: 'a' })).json.duplicate).toBe(
      false,
    );
  });

  const named = sources.filter(({ deliveryIds: { signed: id, unsigned } }) => id === null && unsigned !== null);
  const withHeader = named.filter(({ deliveryIds: { unsigned } }) => unsigned?.isInPayload === false);
  it.each(withHeader)('of $name with the id of a delivery and another payload is refused with 422', async (source) => {
    const { name, signature } = source;
    const endpoint = await given(name, signature === undefined ? 'header' : 'signature');
    const deliver = async (secret: string, text: string) => {
      const header = idHeaders.find((id) => source.deliveryIds.unsigned?.words.includes(`\`${id}\``)) as string;
      const seconds = Math.floor(server().clock.now() / 1000);
      const proof = signers[name]?.({ secret, body: Buffer.from(text), seconds }) ?? {
        [source.header as string]: secret,
      };
      return post(endpoint.name, text, { ...proof, [header]: 'delivery-1' });
    };
    const [one, other] = [await endpoint.token(), await endpoint.token()];
    expect((await deliver(one, '{"n":1}')).json.duplicate).toBe(false);
    expect((await deliver(one, '{"n":2}')).status).toBe(422);
    expect((await deliver(one, '{"n":1}')).json.duplicate).toBe(true);
    expect((await deliver(other, '{"n":2}')).json).toMatchObject({
      duplicate: false,
      signals: [{ payload: { n: 2 } }],
    });
  });

  it('of GitLab is stored once, and the events that share its UUID are others', async () => {
    const endpoint = await given('gitlab', 'header');
    const secret = await endpoint.token();
    const deliver = (body: object, more: Readonly<Record<string, string>>) =>
      post(endpoint.name, JSON.stringify(body), { 'x-gitlab-token': secret, ...more });
    const uuid = { 'x-gitlab-event-uuid': crypto.randomUUID() };
    const isDuplicate = async (n: number) => (await deliver({ n }, uuid)).json.duplicate;
    expect([await isDuplicate(1), await isDuplicate(2), await isDuplicate(1)]).toEqual([false, false, true]);
    const keyed = { ...uuid, 'idempotency-key': crypto.randomUUID() };
    expect((await deliver({ n: 3 }, keyed)).json.duplicate).toBe(false);
    expect((await deliver({ n: 3 }, keyed)).json.duplicate).toBe(true);
    expect((await deliver({ n: 4 }, keyed)).status).toBe(422);
  });
});
