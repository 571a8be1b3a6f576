import { describe, expect, it } from 'vitest';
import { calling, givenActionPlace, givenSet, runsOf, setBody } from '#testing/actions.ts';
import { freshName } from '#testing/flags.ts';
import { useReceiver } from '#testing/receiver.ts';
import { useServer } from '#testing/server.ts';
import { givenToken, send } from '#testing/signals.ts';

/** Two numbers that have the same double. */
const pairs = [
  ['7421932185906577001', '7421932185906577002'],
  ['-7421932185906577001', '-7421932185906577002'],
  ['100000000000000000000001', '100000000000000000000002'],
  ['12345678.123456789012', '12345678.123456789013'],
  ['1e400', '1e401'],
] as const;

describe('numbers with more digits than a double', () => {
  const limits = { signalEndpointsLimit: 1000, actionSetsLimit: 1000 };
  const server = useServer({ ...limits, allowPrivateIntegrationUrls: true });
  const receiver = useReceiver();
  /** Creates an endpoint that recognises `id`, and returns a function that sends a text to it. */
  const given = async (more: object = {}, source = 'generic') => {
    const place = await givenActionPlace(server());
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', {
      body: { name: freshName('e'), source, ...more },
    });
    const { secret: token, id: tokenId } = await givenToken(server(), json.id, 'sender');
    const endpoint = { id: json.id as number, name: json.name as string, tokenId, token };
    const post = async (text: string, type = 'application/json') => {
      const reply = await send(server(), endpoint, text, { 'content-type': type });
      await server().app.service.actions.settled();
      await server().app.service.deliveries.settled();
      return reply;
    };
    return { place: { ...place, endpoint }, post };
  };
  const recognising = { fields: { fingerprint: 'id', deliveryId: 'run' } };

  it.each(pairs)('%s and %s have different fingerprints', async (one, other) => {
    const { post } = await given(recognising);
    const of = async (id: string) => (await post(`{"id":${id}}`)).json.signals[0].normalized.fingerprint;
    expect([await of(one), await of(other)]).toEqual([one, other]);
  });

  it.each(pairs)('%s and %s are different deliveries', async (one, other) => {
    const { post } = await given(recognising);
    const isDuplicate = async (run: string) => (await post(`{"run":${run}}`)).json.duplicate;
    expect([await isDuplicate(one), await isDuplicate(other), await isDuplicate(one)]).toEqual([false, false, true]);
  });

  it.each(pairs.slice(0, 4))('a filter tells %s from %s', async (one, other) => {
    const { place, post } = await given();
    const matching = async (operator: string, values: object) => {
      const payload = { id: { operator, ...values } };
      const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload };
      return givenSet(server(), { match }, place);
    };
    const sets = [
      await matching('IN', { values: [one] }),
      await matching('NUM_EQ', { value: one }),
      await matching('NUM_EQ', { value: one, inverted: true }),
      await matching(one.startsWith('-') ? 'NUM_LT' : 'NUM_GT', { value: one }),
    ];
    const ran = async () => Promise.all(sets.map(async (set) => (await runsOf(server(), set)).length));
    await post(`{"id":${one}}`);
    expect(await ran()).toEqual([1, 1, 0, 0]);
    await post(`{"id":${other}}`);
    expect(await ran()).toEqual([1, 1, 1, 1]);
  });

  it('a call names the digits that were sent, at each place of a template', async () => {
    const { place, post } = await given();
    const path = `/${freshName('numbered')}`;
    const params = {
      body: '{"id": "{{id}}", "value": "{{value}}"}',
      headers: JSON.stringify({ 'X-Id': '{{id}}' }),
    };
    const actions = [calling(place, `${receiver().url}${path}/{{id}}?of={{list[1].id}}`, params)];
    await givenSet(server(), { actions }, place);
    const id = '7421932185906577001';
    await post(`{"id":${id},"value":12345678.123456789012,"list":[1,{"id":${id}9}]}`);
    const [sent] = receiver().received.filter((request) => request.path.startsWith(path));
    expect(sent).toMatchObject({ path: `${path}/${id}?of=${id}9`, headers: { 'x-id': id } });
    expect(sent?.body).toBe(`{"id": "${id}", "value": "12345678.123456789012"}`);
  });

  it('the events of a batch keep their digits', async () => {
    const { post } = await given({}, 'cloudevents');
    const event = '{"specversion":"1.0","id":"a","source":"b","type":"c","data":{"id":7421932185906577001}}';
    const { text } = await post(`[${event}]`, 'application/cloudevents-batch+json');
    expect(text).toContain('"data":{"id":7421932185906577001}');
  });

  it('a payload keeps its digits when other values of it are dropped or hashed', async () => {
    const rules = { dropped: ['secret'], hashed: ['person'] };
    const { post } = await given({ ...rules, ...recognising });
    const of = async (person: string) => {
      const { json, text } = await post(`{"id":7421932185906577001,"secret":1,"person":${person}}`);
      expect(text).toContain('"payload":{"id":7421932185906577001,"person":"hmac-sha256:');
      return json.signals[0].payload.person;
    };
    expect(await of('7421932185906577001')).not.toBe(await of('7421932185906577002'));
  });

  it('a path that leads into a number finds nothing, and drops nothing', async () => {
    const { post } = await given({ dropped: ['id.rawJSON'], fields: { title: 'id.rawJSON' } });
    const { json, text } = await post('{"id":7421932185906577001}');
    expect(json.signals[0].normalized).toBeNull();
    expect(text).toContain('"payload":{"id":7421932185906577001}');
  });

  it('a test signal and a dry run read the digits that were sent', async () => {
    const { place } = await given(recognising);
    const id = '7421932185906577001';
    const tested = await server().admin.request('POST', `/api/admin/signal-endpoints/${place.endpoint.id}/signals`, {
      raw: `{"payload":{"id":${id}}}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(tested.json.signals[0].normalized.fingerprint).toBe(id);
    expect(tested.text).toContain(`"payload":{"id":${id}}`);
    const match = {
      source: 'signal-endpoint',
      sourceId: place.endpoint.id,
      payload: { id: { operator: 'IN', values: [id] } },
    };
    const set = JSON.stringify(setBody(place, { match }));
    const { json } = await server().admin.request('POST', `/api/admin/projects/${place.projectId}/actions/rehearse`, {
      raw: `{"set":${set},"payload":{"id":${id}}}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(json.views).toMatchObject([{ matches: true, filters: [{ found: id, passes: true }] }]);
  });

  it('a backtest finds the stored signals by the digits that were sent', async () => {
    const { place, post } = await given();
    for (const id of ['7421932185906577001', '7421932185906577002']) await post(`{"id":${id}}`);
    const payload = { id: { operator: 'IN', values: ['7421932185906577002'] } };
    const set = setBody(place, { match: { source: 'signal-endpoint', sourceId: place.endpoint.id, payload } });
    const { json } = await server().admin.call('POST /api/admin/projects/:projectId/actions/backtest', {
      params: { projectId: place.projectId },
      body: { set, days: 1 },
    });
    expect(json.matches).toHaveLength(1);
  });

  it('ordinary numbers are read as before', async () => {
    const { post } = await given(recognising);
    const texts = {
      '9007199254740992': '9007199254740992',
      '1.10': '1.1',
      '1e3': '1000',
      '0.30000000000000004': undefined,
    };
    for (const [sent, read = sent] of Object.entries(texts))
      expect((await post(`{"id":${sent}}`)).json.signals[0].normalized.fingerprint).toBe(read);
  });
});
