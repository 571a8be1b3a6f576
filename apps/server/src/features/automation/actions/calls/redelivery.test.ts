import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { calling, givenActionPlace, givenSet, runsOf, signal, turning } from '#testing/actions.ts';
import { freshName } from '#testing/flags.ts';
import { type Received, useReceiver } from '#testing/receiver.ts';
import { useServer } from '#testing/server.ts';

const dayMs = 24 * 3_600_000;
const server = useServer({ allowPrivateIntegrationUrls: true, signalEndpointsLimit: 1000 });
const receiver = useReceiver();

/** Creates a set that calls a path which no other test uses. */
async function given(params: object = {}) {
  const place = await givenActionPlace(server());
  const path = `/${freshName('call')}`;
  const set = await givenSet(server(), { actions: [calling(place, receiver().url + path, params)] }, place);
  return {
    set,
    path,
    sent: () => receiver().received.filter((call) => call.path === path),
    lastRun: async () => (await runsOf(server(), set))[0],
  };
}

async function after(ms: number) {
  server().clock.advance(ms);
  await server().app.service.deliveries.idle();
}

async function publicKeys(): Promise<string[]> {
  const { json } = await server().admin.call('GET /api/admin/action-calls/signing-keys');
  return json.keys.map((key: { publicKey: string }) => key.publicKey);
}

/** Returns whether one of the signatures of a request is by the key. */
function isSignedBy(publicKey: string, { headers, body }: Pick<Received, 'headers' | 'body'>): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signatures = String(headers['webhook-signature']).split(' ');
  return signatures.some((signature) => {
    const [version, value = ''] = signature.split(',');
    return version === 'v1a' && verify(null, text, key, Buffer.from(value, 'base64'));
  });
}

describe('a call of an action', () => {
  it('is signed with the key of the installation, over its body, and after a rotation with both for a day', async () => {
    const { set, sent } = await given({ body: '{"n": 1}' });
    await signal(server(), set);
    const [first] = sent();
    if (first === undefined) throw new Error('nothing was sent');
    const [before = ''] = await publicKeys();
    expect(isSignedBy(before, first)).toBe(true);
    expect(isSignedBy(before, { ...first, body: '{"n": 2}' })).toBe(false);
    expect(first.headers['webhook-id']).toBe(first.headers['idempotency-key']);
    await server().admin.call('POST /api/admin/action-calls/signing-keys/rotate');
    const [after = '', previous] = await publicKeys();
    expect(previous).toBe(before);
    await signal(server(), set);
    const second = sent()[1] ?? first;
    expect([isSignedBy(after, second), isSignedBy(before, second)]).toEqual([true, true]);
    server().clock.advance(dayMs + 1);
    await signal(server(), set);
    const third = sent()[2] ?? first;
    expect([isSignedBy(after, third), isSignedBy(before, third)]).toEqual([true, false]);
    expect(await publicKeys()).toEqual([after]);
  });

  it('must not set the headers of the signature', async () => {
    const place = await givenActionPlace(server());
    const reply = await server().admin.call('POST /api/admin/projects/:projectId/actions', {
      params: { projectId: place.projectId },
      body: {
        name: freshName('set'),
        actorId: place.actorId,
        match: { source: 'signal-endpoint', sourceId: place.endpoint.id, payload: {} },
        actions: [calling(place, 'https://8.8.8.8/', { headers: '{"Webhook-Signature": "v1,forged"}' })],
      },
    });
    expect(reply.status).toBe(400);
    expect(reply.json.details).toEqual([
      { path: 'actions.0.executionParams.headers', message: expect.stringContaining('must not set Webhook-Signature') },
    ]);
  });

  it('has values of the payload escaped in a form body, so that they add no parameters', async () => {
    const { set, sent } = await given({ contentType: 'application/x-www-form-urlencoded', body: 'text={{text}}' });
    await signal(server(), set, { text: 'a&admin=true b' });
    expect(sent()[0]?.body).toBe('text=a%26admin%3Dtrue%20b');
  });

  it('that failed is sent again with the same id, body and secret headers, and its run succeeds', async () => {
    const { set, path, sent, lastRun } = await given({ body: '{"n": 1}', headers: '{"Authorization": "Bearer of"}' });
    receiver().answer(path, 404);
    await signal(server(), set);
    const { id: runId, state } = await lastRun();
    expect(state).toBe('failed');
    const params = { projectId: set.projectId, actionSetId: set.id, runId };
    const route = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/redeliver';
    expect((await server().admin.call(route, { params })).json).toEqual({ redelivered: 1, more: false });
    await server().app.service.deliveries.settled();
    expect(await lastRun()).toMatchObject({
      state: 'success',
      actionSet: { actions: [{ call: { state: 'delivered', attempts: 2 } }] },
    });
    const same = ({ headers, body }: Received) => [headers['webhook-id'], headers['authorization'], body];
    expect(sent()).toHaveLength(2);
    expect(new Set(sent().map((call) => JSON.stringify(same(call)))).size).toBe(1);
    const log = await server().admin.call('GET /api/admin/action-runs/:runId/attempts', { params });
    expect(log.json.attempts.map((attempt: { status: number }) => attempt.status)).toEqual([200, 404]);
    expect(log.text).not.toContain(path);
    // The request of a delivered call is deleted, so the call cannot be sent again.
    expect((await server().admin.call(route, { params })).status).toBe(409);
  });

  it('that is delivered in the end does not make a run succeed whose next action failed', async () => {
    const place = await givenActionPlace(server());
    const path = `/${freshName('call')}`;
    receiver().answer(path, 404);
    const gone = { ...turning('ON', place.projectId, '{{flag}}'), sortOrder: 2 };
    const actions = [calling(place, `${receiver().url}${path}`), gone];
    const allow = { flags: ['*'], tags: [], environments: [] };
    const set = await givenSet(server(), { actions, allow }, place);
    await signal(server(), set);
    const params = { projectId: set.projectId, actionSetId: set.id };
    const route = 'POST /api/admin/projects/:projectId/actions/:actionSetId/redeliver';
    expect((await server().admin.call(route, { params })).json).toMatchObject({ redelivered: 1 });
    await server().app.service.deliveries.settled();
    expect((await runsOf(server(), set))[0]).toMatchObject({
      state: 'failed',
      actionSet: { actions: [{ call: { state: 'delivered' } }, { state: 'failed' }] },
    });
  });

  it('that failed 30 days ago cannot be sent again', async () => {
    const { set, path, sent } = await given();
    receiver().answer(path, 404);
    await signal(server(), set);
    server().clock.advance(31 * dayMs);
    await server().app.service.jobs.runDue();
    const params = { projectId: set.projectId, actionSetId: set.id };
    const reply = await server().admin.call('POST /api/admin/projects/:projectId/actions/:actionSetId/redeliver', {
      params,
    });
    expect(reply.json).toEqual({ redelivered: 0, more: false });
    await after(0);
    expect(sent()).toHaveLength(1);
  });
});
