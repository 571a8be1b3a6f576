import type { SignalSourceName } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/signals.ts';
import { signers } from '#testing/signatures.ts';
import { handshakeScenarios } from './handshake.scenarios.ts';

const server = useServer({ signalEndpointsLimit: 1000 });

testScenarios(server, handshakeScenarios);

async function given(source: SignalSourceName, more: object = {}) {
  const body = { name: freshName('s'), source };
  const { json } = await server().admin.call('POST /api/admin/signal-endpoints', { body });
  const { secret } = await givenToken(server(), json.id, 'sender', more);
  return { name: json.name as string, secret };
}

describe('a CloudEvent', () => {
  const binary = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/mon', 'ce-type': 'alert.firing' };
  async function sending() {
    const { name, secret } = await given('cloudevents');
    return async (raw: string | Buffer, headers: Readonly<Record<string, string>>) => {
      const sent = { raw: Buffer.from(raw), headers: { authorization: `Bearer ${secret}`, ...headers } };
      const { status, json, text } = await server().anonymous.request('POST', `/api/signal-endpoint/${name}`, sent);
      expect([status, text]).toEqual([200, text]);
      return json;
    };
  }

  it('in the binary mode is stored as in the structured mode, with its extensions', async () => {
    const send = await sending();
    const headers = { ...binary, 'ce-subject': 'checkout', 'ce-region': 'eu', 'content-type': 'application/json' };
    const { signals } = await send('{"level": 12345678901234567890}', headers);
    expect(signals[0].payload).toMatchObject({
      ...{ specversion: '1.0', id: '1', source: '/mon', type: 'alert.firing', subject: 'checkout', region: 'eu' },
      ...{ datacontenttype: 'application/json', data: { level: expect.anything() } },
    });
    expect(signals[0].normalized).toMatchObject({ title: 'checkout', fingerprint: '/mon checkout' });
  });

  it('in the binary mode has percent-encoded attributes decoded', async () => {
    const send = await sending();
    const headers = { ...binary, 'ce-subject': 'checkout%20%C3%BCber%20100%25', 'content-type': 'application/json' };
    expect((await send('{}', headers)).signals[0].normalized.title).toBe('checkout über 100%');
    const odd = { ...binary, 'ce-id': '2', 'ce-subject': '100%', 'content-type': 'application/json' };
    expect((await send('{}', odd)).signals[0].normalized.title).toBe('100%');
  });

  it.each([
    ['text', 'disk is full', 'text/plain', { data: 'disk is full' }],
    ['XML', '<a/>', 'application/xml', { data_base64: Buffer.from('<a/>').toString('base64') }],
    ['bytes', Buffer.from([0xff, 0xfe]), 'application/octet-stream', { data_base64: '//4=' }],
  ])('in the binary mode may carry %s', async (_what, raw, type, data) => {
    const send = await sending();
    const { signals } = await send(raw, { ...binary, 'content-type': type });
    expect(signals[0].payload).toMatchObject(data);
  });

  it('in the binary mode may have no data', async () => {
    const { signals } = await (await sending())('', binary);
    expect(signals[0].payload).toEqual({ specversion: '1.0', id: '1', source: '/mon', type: 'alert.firing' });
  });

  it('is one delivery in both modes', async () => {
    const send = await sending();
    const structured = { specversion: '1.0', id: '1', source: '/mon', type: 'alert.firing', data: {} };
    const first = await send(JSON.stringify(structured), { 'content-type': 'application/cloudevents+json' });
    const second = await send('{}', { ...binary, 'content-type': 'application/json' });
    expect([first.duplicate, second.duplicate]).toEqual([false, true]);
  });

  it('is announced by a handshake, which a token of the endpoint admits', async () => {
    const { name, secret } = await given('cloudevents');
    const ask = (headers: Record<string, string>) =>
      server().anonymous.request('OPTIONS', `/api/signal-endpoint/${name}`, { headers });
    const origin = { 'webhook-request-origin': 'eventgrid.azure.net' };
    const allowed = await ask({ ...origin, authorization: `Bearer ${secret}` });
    expect([allowed.status, allowed.headers.get('webhook-allowed-origin')]).toEqual([200, 'eventgrid.azure.net']);
    expect((await ask(origin)).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${secret}` })).status).toBe(400);
  });

  it('is announced with the token in the path, too', async () => {
    const { name, secret } = await given('cloudevents', { authentication: 'path' });
    const headers = { 'webhook-request-origin': 'eventgrid.azure.net' };
    const path = `/api/signal-endpoint/${name}/${secret}`;
    expect((await server().anonymous.request('OPTIONS', path, { headers })).status).toBe(200);
  });
});

describe('a slash command of Slack', () => {
  async function sending() {
    const { name, secret } = await given('slack', { authentication: 'signature', secret: 'a-signing-secret-000000' });
    return async (fields: Readonly<Record<string, string>>) => {
      const body = Buffer.from(new URLSearchParams(fields).toString());
      const seconds = Math.floor(server().clock.now() / 1000);
      const signed = signers.slack?.({ secret, body, seconds }) ?? {};
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...signed };
      return server().anonymous.request('POST', `/api/signal-endpoint/${name}`, { raw: body, headers });
    };
  }
  const command = { token: 'gone', command: '/flag', text: 'a=b & c+d 🔥', response_url: 'https://hooks.example/x' };

  it('is answered with a text for the person, without what lets anyone answer', async () => {
    const { status, json, text } = await (await sending())({ ...command, trigger_id: '1.2' });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      response_type: 'ephemeral',
      text: `“a=b & c+d 🔥” was received, as signal ${json.signals[0].id}.`,
      signals: [{ normalized: { title: 'a=b & c+d 🔥' } }],
    });
    expect(text).not.toContain('hooks.example');
    expect(text).not.toContain('gone');
  });

  it('that is sent again is answered so', async () => {
    const send = await sending();
    await send({ ...command, trigger_id: '1.3' });
    const { json } = await send({ ...command, trigger_id: '1.3' });
    expect([json.duplicate, json.text]).toEqual([true, expect.stringContaining('was received before')]);
  });

  it('keeps the field of a button, without what lets anyone answer', async () => {
    const payload = JSON.stringify({ type: 'block_actions', response_url: command.response_url, trigger_id: 't' });
    const { json, text } = await (await sending())({ payload });
    expect(json.signals[0].payload.payload).toContain('block_actions');
    expect(text).not.toContain('hooks.example');
  });

  it('is no signal when Slack only checks the certificate', async () => {
    const { status, json } = await (await sending())({ ssl_check: '1', token: 'gone' });
    expect([status, json.signals]).toEqual([200, []]);
  });
});

it('a raw message of SNS may be a text', async () => {
  const { name, secret } = await given('sns', { authentication: 'path' });
  const path = `/api/signal-endpoint/${name}/${secret}`;
  const headers = { 'content-type': 'text/plain; charset=UTF-8' };
  const { status, json } = await server().anonymous.request('POST', path, {
    raw: Buffer.from('disk is full'),
    headers,
  });
  expect([status, json.signals[0].payload, json.signals[0].normalized.title]).toEqual([
    200,
    'disk is full',
    'disk is full',
  ]);
});
