import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { queueDeliveries } from '#features/platform/deliveries/index.ts';
import { author } from '#testing/database.ts';
import { freshName, givenFlag } from '#testing/flags.ts';
import { useReceiver } from '#testing/receiver.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenWebhook } from '#testing/webhooks.ts';
import { integrationDeliveryScenarios } from './deliveries.scenarios.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const server = useServer({ allowPrivateIntegrationUrls: true });
const receiver = useReceiver();

describe('routes of deliveries', () => testScenarios(server, integrationDeliveryScenarios));

/** Creates a webhook for new flags with its own path. */
const given = (more: object = {}) => givenWebhook(server(), receiver(), more);

const idle = () => server().app.service.deliveries.idle();

async function after(ms: number) {
  server().clock.advance(ms);
  await idle();
}

const failures = (count: number) => Array.from({ length: count }, () => 500);

async function eventTypes(prefix: string) {
  const { events } = (await server().admin.call('GET /api/admin/events', { query: { limit: 30 } })).json;
  return events.map(({ type }: { type: string }) => type).filter((type: string) => type.startsWith(prefix));
}

describe('a signed webhook', () => {
  it('is verified by a library of Standard Webhooks, with the old and the new secret for a day', async () => {
    const { signingSecret, sent, post } = await given();
    const check = (secret: string) => {
      const { headers = {}, body = '' } = sent().at(-1) ?? {};
      const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
      return new Webhook(secret).sign(String(headers['webhook-id']), signedAt, body);
    };
    const signaturesOf = () => String(sent().at(-1)?.headers['webhook-signature']).split(' ');
    await givenFlag(server());
    await idle();
    expect(signaturesOf()).toEqual([check(signingSecret)]);
    const rotated = (await post('rotate-key', {})).json.signingSecret;
    expect(rotated).not.toBe(signingSecret);
    await givenFlag(server());
    await idle();
    expect(signaturesOf()).toEqual([check(rotated), check(signingSecret)]);
    await after(25 * hourMs);
    await givenFlag(server());
    await idle();
    expect(signaturesOf()).toEqual([check(rotated)]);
  });

  it('is verified with the public key when it is signed by Ed25519', async () => {
    const { signingSecret, sent, health } = await given({ signing: 'ed25519' });
    expect(await health()).toMatchObject({ signing: { algorithm: 'ed25519', publicKey: signingSecret } });
    await givenFlag(server());
    await idle();
    const { headers = {}, body = '' } = sent()[0] ?? {};
    const x = Buffer.from(signingSecret.slice('whpk_'.length), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const [version, signature] = String(headers['webhook-signature']).split(',');
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(version).toBe('v1a');
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature ?? '', 'base64'))).toBe(true);
  });
});

describe('a receiver that refuses an event', () => {
  it.each([400, 413, 415, 422])('with %i gets the next event at once', async (status) => {
    const { path, sent, health } = await given();
    receiver().answer(path, status, status, status);
    for (let n = 0; n < 4; n++) await givenFlag(server());
    await idle();
    expect(sent()).toHaveLength(4);
    expect(await health()).toMatchObject({ dead: 3, waiting: 0, failingSince: null, consecutiveDeadLetters: 0 });
  });

  it('ten times in a row is reported by an event, once until it takes one', async () => {
    const { id, path, health } = await given();
    receiver().answer(path, ...Array(12).fill(422), 200, ...Array(10).fill(400));
    const reported = async () => (await eventTypes('integration-refuses')).length;
    const before = await reported();
    for (let n = 0; n < 9; n++) await givenFlag(server());
    await idle();
    expect([await reported(), (await health()).consecutiveDeadLetters]).toEqual([before, 9]);
    for (let n = 0; n < 3; n++) await givenFlag(server());
    await idle();
    expect([await reported(), (await health()).consecutiveDeadLetters]).toEqual([before + 1, 12]);
    const { json } = await server().admin.call('GET /api/admin/events', { query: { limit: 30 } });
    const event = json.events.find(({ type }: { type: string }) => type === 'integration-refuses-events');
    expect(event).toMatchObject({
      data: { id, deadLetters: 10, lastError: 'The receiver answered 422.' },
      outcome: 'failure',
    });
    for (let n = 0; n < 11; n++) await givenFlag(server());
    await idle();
    expect([await reported(), (await health()).pausedAt]).toEqual([before + 2, null]);
  });

  it('for good (410) counts as failing, so later events wait', async () => {
    const { path, sent, health } = await given();
    receiver().answer(path, 410);
    for (let n = 0; n < 2; n++) await givenFlag(server());
    await idle();
    expect(sent()).toHaveLength(1);
    expect(await health()).toMatchObject({ dead: 1, waiting: 1, failingSince: expect.any(String) });
  });
});

describe('a receiver that fails', () => {
  it('is paused with an event, tried with its oldest event, and resumed when it answers, with nothing lost', async () => {
    const { path, sent, health, id } = await given();
    receiver().answer(path, ...failures(14));
    const names = [];
    for (let n = 0; n < 3; n++) names.push((await givenFlag(server())).featureName);
    await idle();
    expect(await health()).toMatchObject({ waiting: 3, pausedAt: null, consecutiveFailures: 1 });
    for (let n = 0; n < 9; n++) await after(hourMs);
    expect(await health()).toMatchObject({
      waiting: 3,
      dead: 0,
      pausedAt: expect.any(String),
      lastError: 'The receiver answered 500.',
    });
    expect(new Set(sent().map(({ body }) => JSON.parse(body).featureName))).toEqual(new Set([names[0]]));
    expect(await eventTypes('integration-p')).toEqual(['integration-paused']);
    for (let n = 0; n < 5; n++) await after(hourMs);
    expect(await health()).toMatchObject({ waiting: 0, pausedAt: null, failingSince: null, consecutiveFailures: 0 });
    expect(
      sent()
        .slice(14)
        .map(({ body }) => JSON.parse(body).featureName),
    ).toEqual(names);
    expect(await eventTypes('integration-r')).toContain('integration-resumed');
    const { json } = await server().admin.call('GET /api/admin/events', { query: { limit: 30 } });
    const event = json.events.find(({ type }: { type: string }) => type === 'integration-paused');
    expect(event.data).toEqual({ id, failedAttempts: 10, lastError: 'The receiver answered 500.' });
  });

  it('receives the waiting deliveries at once when its URL is corrected', async () => {
    const { id, path, health } = await given();
    receiver().answer(path, ...failures(20));
    await givenFlag(server());
    await idle();
    for (let n = 0; n < 4; n++) await after(hourMs);
    const corrected = `/${freshName('corrected')}`;
    const body = { provider: 'webhook', enabled: true, events: ['feature-created'] };
    const parameters = { url: `${receiver().url}${corrected}`, authorization: 'Bearer of-a-secret' };
    const changed = await server().admin.call('PUT /api/admin/addons/:id', {
      params: { id },
      body: { ...body, parameters },
    });
    expect(changed.status).toBe(200);
    await idle();
    expect(receiver().received.filter((request) => request.path === corrected)).toHaveLength(1);
    expect(await health()).toMatchObject({ waiting: 0 });
  });

  it('receives the waiting deliveries at once when a person resumes it', async () => {
    const { path, sent, post, health } = await given();
    receiver().answer(path, ...failures(11));
    await givenFlag(server());
    await idle();
    for (let n = 0; n < 10; n++) await after(hourMs);
    expect(await health()).toMatchObject({ pausedAt: expect.any(String) });
    expect(sent()).toHaveLength(11);
    expect((await post('resume')).status).toBe(200);
    await idle();
    expect(sent()).toHaveLength(12);
    expect(await health()).toMatchObject({ waiting: 0, pausedAt: null });
  });

  it('leaves dead letters after a day, which are redelivered with the same webhook-id', async () => {
    const { path, sent, post, deliveries, health } = await given();
    receiver().answer(path, ...failures(60));
    await givenFlag(server());
    await givenFlag(server());
    await idle();
    for (let n = 0; n < 26; n++) await after(hourMs);
    expect(await health()).toMatchObject({ waiting: 0, dead: 2 });
    receiver().answer(path);
    expect((await post('redeliver', { state: 'dead' })).json).toEqual({
      redelivered: 2,
      more: false,
      nextEventId: null,
    });
    await after(hourMs);
    expect(await health()).toMatchObject({ waiting: 0, dead: 0 });
    const ids = sent().map(({ headers }) => headers['webhook-id']);
    expect(ids.at(-2)).toBe(ids[0]);
    const [second, first] = await deliveries('delivered');
    expect([first.messageId, second.messageId]).toEqual(ids.slice(-2));
  });

  it('is redelivered more than 1000 events since an event in several requests', async () => {
    const { id, sent, post } = await given({ ordered: false });
    const first = (await server().admin.call('GET /api/admin/newest')).json.eventId + 1;
    const eventIds = Array.from({ length: 1001 }, (_, n) => first + n);
    await server().app.database.write(author, async (tx) => {
      for (const n of eventIds)
        tx.record({ type: 'feature-uncompleted', project: 'default', featureName: `past-${n}` });
      const past = eventIds.map((eventId) => ({ messageId: `msg_${eventId}`, integrationId: id, eventId }));
      await queueDeliveries(tx, hourMs, past);
      const state = { state: 'delivered', next_attempt_at: null, settled_at: tx.now };
      await tx.db.updateTable('deliveries').set(state).where('integration_id', '=', id).execute();
    });
    const { json } = await post('redeliver', { sinceEventId: first });
    expect(json).toEqual({ redelivered: 1000, more: true, nextEventId: first + 1000 });
    await idle();
    const rest = (await post('redeliver', { sinceEventId: json.nextEventId })).json;
    expect(rest).toEqual({ redelivered: 1, more: false, nextEventId: null });
    await idle();
    expect(new Set(sent().map(({ headers }) => headers['webhook-id'])).size).toBe(1001);
    expect(sent()).toHaveLength(1001);
  }, 60_000);

  it.each([400, 410, 422])('with %i gets the event once, and then the next event', async (status) => {
    const { path, sent, health } = await given();
    receiver().answer(path, status);
    await givenFlag(server());
    await givenFlag(server());
    await idle();
    await after(5000);
    expect(sent()).toHaveLength(2);
    expect(await health()).toMatchObject({ waiting: 0, dead: 1 });
  });

  it('does not hold up later events when the order does not matter', async () => {
    const { path, sent, health } = await given({ ordered: false });
    receiver().answer(path, 500);
    for (let n = 0; n < 6; n++) await givenFlag(server());
    await idle();
    expect(sent()).toHaveLength(6);
    expect(await health()).toMatchObject({ waiting: 1 });
    await after(5000);
    expect(await health()).toMatchObject({ waiting: 0, dead: 0 });
  });

  it('names the integration and the delivery in the event when the delivery is queued again', async () => {
    const { id, deliveries } = await given();
    await givenFlag(server());
    await idle();
    const [{ id: deliveryId }] = await deliveries();
    await server().admin.call('POST /api/admin/integrations/:id/deliveries/:deliveryId/redeliver', {
      params: { id, deliveryId },
    });
    const { json } = await server().admin.call('GET /api/admin/events', { query: { limit: 1 } });
    expect(json.events).toMatchObject([{ data: { id, deliveryId: Number(deliveryId), redelivered: 1 } }]);
  });

  it('has 500 events wait at most, and receives all of them in order afterwards', async () => {
    const { path, sent, health } = await given({ events: ['feature-uncompleted'] });
    receiver().answer(path, 500);
    await server().app.database.write(author, async (tx) => {
      for (let n = 0; n < 650; n++)
        tx.record({ type: 'feature-uncompleted', project: 'default', featureName: `many-${n}` });
    });
    await idle();
    expect((await health()).waiting).toBeLessThanOrEqual(500);
    await after(5000);
    expect(
      sent()
        .slice(1)
        .map(({ body }) => JSON.parse(body).featureName),
    ).toEqual(Array.from({ length: 650 }, (_, n) => `many-${n}`));
  }, 60_000);
});

describe('an integration with filters', () => {
  it('receives events of its actors, of its cause, and of any type', async () => {
    const ofNobody = await given({ actors: [4711] });
    const ofSignals = await given({ cause: 'signal' });
    const ofPeople = await given({ cause: 'person', events: ['feature-created', 'addon-config-deleted'] });
    await givenFlag(server());
    await server().admin.call('DELETE /api/admin/addons/:id', { params: { id: ofNobody.id } });
    await idle();
    expect([ofNobody.sent().length, ofSignals.sent().length]).toEqual([0, 0]);
    expect(ofPeople.sent().map(({ body }) => JSON.parse(body).type)).toEqual([
      'feature-created',
      'addon-config-deleted',
    ]);
  });
});

describe('the log of an integration', () => {
  it('is deleted after 30 days, and kept while a legal hold is in force', async () => {
    const { id, deliveries } = await given();
    await givenFlag(server());
    await idle();
    const [{ id: deliveryId }] = await deliveries();
    const attempts = async () =>
      (
        await server().admin.call('GET /api/admin/integrations/:id/deliveries/:deliveryId', {
          params: { id, deliveryId },
        })
      ).json.log.length;
    const hold = (enabled: boolean) =>
      server().admin.call('POST /api/admin/legal-hold', { body: { enabled, reason: 'Case 4711' } });
    await hold(true);
    server().clock.advance(31 * 24 * hourMs);
    await server().app.service.jobs.runDue();
    expect([(await deliveries()).length, await attempts()]).toEqual([1, 1]);
    await hold(false);
    server().clock.advance(2 * hourMs);
    await server().app.service.jobs.runDue();
    expect(await deliveries()).toEqual([]);
  });
});

describe('a test of an integration', () => {
  it('sends a signed event at once and answers what the receiver said, without secrets', async () => {
    const { path, sent, post } = await given({ events: [] });
    const reply = await post('test');
    expect(reply.json).toMatchObject({ delivered: true, status: 200, details: 'The receiver answered 200.' });
    expect(sent()).toHaveLength(1);
    expect(JSON.parse(sent()[0]?.body ?? '')).toMatchObject({ type: 'integration-tested' });
    expect(sent()[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    receiver().answer(path, 503);
    expect((await post('test')).json).toMatchObject({ delivered: false, status: 503 });
  });
});
