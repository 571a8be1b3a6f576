import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { queueDeliveries } from '#features/platform/deliveries/index.ts';
import { author } from '#testing/database.ts';
import { givenFlag } from '#testing/flags.ts';
import { useReceiver } from '#testing/receiver.ts';
import { useServer } from '#testing/server.ts';
import { givenWebhook } from '#testing/webhooks.ts';

// Tests of what follows the first step: a second rotation, retries of a redelivered event, a log that is full.

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const server = useServer({ allowPrivateIntegrationUrls: true });
const receiver = useReceiver();
const given = (more: object = {}) => givenWebhook(server(), receiver(), more);

async function after(ms: number) {
  server().clock.advance(ms);
  await server().app.service.deliveries.idle();
}

const failures = (count: number) => Array.from({ length: count }, () => 500);

it('a webhook whose key is rotated twice within a day is signed with the last two keys', async () => {
  const { sent, post } = await given();
  const second = (await post('rotate-key', {})).json.signingSecret;
  await after(hourMs);
  const third = (await post('rotate-key', {})).json.signingSecret;
  const signatures = async () => {
    await givenFlag(server());
    await after(0);
    const { headers = {}, body = '' } = sent().at(-1) ?? {};
    const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    const by = (secret: string) => new Webhook(secret).sign(String(headers['webhook-id']), signedAt, body);
    return { sent: String(headers['webhook-signature']).split(' '), by };
  };
  const first = await signatures();
  expect(first.sent).toEqual([first.by(third), first.by(second)]);
  // The second key signs for a day from the rotation that replaced it.
  await after(dayMs - 1000);
  const before = await signatures();
  expect(before.sent).toEqual([before.by(third), before.by(second)]);
  await after(1000);
  const later = await signatures();
  expect(later.sent).toEqual([later.by(third)]);
});

it.each([{ state: 'dead' }, { sinceEventId: 1 }, { since: '2020-01-01T00:00:00Z' }])(
  'redelivery of %o leaves the events of other webhooks',
  async (selection) => {
    const [one, other] = [await given(), await given()];
    for (const { path } of [one, other]) receiver().answer(path, 400);
    await givenFlag(server());
    await after(0);
    expect((await one.post('redeliver', selection)).json).toMatchObject({ redelivered: 1 });
    await after(0);
    expect([one.sent().length, other.sent().length]).toEqual([2, 1]);
    expect([(await one.health()).dead, (await other.health()).dead]).toEqual([0, 1]);
  },
);

it('redelivery since a time leaves earlier events', async () => {
  const { sent, post } = await given();
  await givenFlag(server());
  await after(0);
  server().clock.advance(1000);
  const since = new Date(server().clock.now()).toISOString();
  const { featureName } = await givenFlag(server());
  await after(0);
  expect((await post('redeliver', { since })).json).toMatchObject({ redelivered: 1 });
  await after(0);
  expect(sent()).toHaveLength(3);
  expect(JSON.parse(sent()[2]?.body ?? '').featureName).toBe(featureName);
});

it('a redelivered event that fails is sent again after seconds, and for another day', async () => {
  const { path, sent, post, health } = await given({ ordered: false });
  receiver().answer(path, ...failures(60));
  await givenFlag(server());
  await after(0);
  for (let hours = 0; hours < 26; hours++) await after(hourMs);
  expect(await health()).toMatchObject({ waiting: 0, dead: 1 });
  await post('resume');
  const attempts = sent().length;
  await post('redeliver', { state: 'dead' });
  await after(0);
  expect(sent()).toHaveLength(attempts + 1);
  receiver().answer(path, 500);
  await after(5000);
  expect(sent()).toHaveLength(attempts + 2);
  await after(15_000);
  expect(sent()).toHaveLength(attempts + 3);
  expect(await health()).toMatchObject({ waiting: 0, dead: 0 });
});

it('a webhook that was paused and resumed is paused again only after ten more failures', async () => {
  const { path, post, health } = await given();
  receiver().answer(path, ...failures(40));
  await givenFlag(server());
  await after(0);
  for (let hours = 0; hours < 9; hours++) await after(hourMs);
  expect(await health()).toMatchObject({ pausedAt: expect.any(String), consecutiveFailures: 10 });
  await post('resume');
  await after(0);
  expect(await health()).toMatchObject({ pausedAt: null, consecutiveFailures: 1 });
  for (let hours = 0; hours < 8; hours++) await after(hourMs);
  expect(await health()).toMatchObject({ pausedAt: null, consecutiveFailures: 9 });
  await after(hourMs);
  expect(await health()).toMatchObject({ pausedAt: expect.any(String), consecutiveFailures: 10 });
});

it('a webhook that fails ten times within ten minutes is not paused', async () => {
  const { path, health } = await given({ ordered: false });
  receiver().answer(path, ...failures(40));
  for (let n = 0; n < 4; n++) await givenFlag(server());
  for (let n = 0; n < 5; n++) await after(60_000);
  expect(await health()).toMatchObject({ pausedAt: null });
  expect((await health()).consecutiveFailures).toBeGreaterThanOrEqual(10);
});

it('the events of a webhook that is resumed are sent at once, those of other failing webhooks at their time', async () => {
  const [one, other] = [await given(), await given()];
  for (const { path } of [one, other]) receiver().answer(path, ...failures(10));
  await givenFlag(server());
  await after(0);
  for (let hours = 0; hours < 9; hours++) await after(hourMs);
  expect([one.sent().length, other.sent().length]).toEqual([10, 10]);
  await one.post('resume');
  await after(0);
  expect([one.sent().length, other.sent().length]).toEqual([11, 10]);
});

it('a disabled webhook sends none of its waiting events, however many', async () => {
  const { id, path, sent, health, deliveries } = await given();
  receiver().answer(path, 500);
  await givenFlag(server());
  await after(0);
  const behind = Array.from({ length: 600 }, (_, n) => ({ messageId: `msg_behind_${n}`, integrationId: id }));
  await server().app.database.writeQuietly('deliveries', author, (tx) => queueDeliveries(tx, hourMs, behind));
  const body = { provider: 'webhook', enabled: false, events: ['feature-created'] };
  const parameters = { url: `${receiver().url}${path}` };
  const disabled = await server().admin.call('PUT /api/admin/addons/:id', {
    params: { id },
    body: { ...body, parameters },
  });
  expect(disabled.status, disabled.text).toBe(200);
  await after(0);
  expect(await health()).toMatchObject({ waiting: 0, dead: 601 });
  const why = new Set((await deliveries()).map(({ details }: { details: string }) => details));
  expect(why).toEqual(new Set(['The integration was disabled before the event was sent.']));
  await after(hourMs);
  expect(sent()).toHaveLength(1);
});

it('the log of a webhook keeps the newest 10,000 events, and all while a legal hold is in force', async () => {
  const [full, other] = [await given({ events: [] }), await given()];
  await givenFlag(server());
  await after(0);
  const total = 10_002;
  await server().app.database.writeQuietly('deliveries', author, async (tx) => {
    for (let n = 0; n < total; n += 500) {
      const messages = Array.from({ length: Math.min(500, total - n) }, (_, i) => ({
        messageId: `msg_full_${n + i}`,
        integrationId: full.id,
      }));
      await queueDeliveries(tx, hourMs, messages);
    }
    const delivered = { state: 'delivered', next_attempt_at: null, settled_at: tx.now };
    await tx.db.updateTable('deliveries').set(delivered).where('integration_id', '=', full.id).execute();
  });
  const kept = async (id: number) => {
    const rows = server().app.database.db.selectFrom('deliveries').where('integration_id', '=', id);
    const { n } = await rows.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
    return Number(n);
  };
  const hold = (enabled: boolean) =>
    server().admin.call('POST /api/admin/legal-hold', { body: { enabled, reason: 'Case 4711' } });
  const runJobs = async () => {
    server().clock.advance(2 * hourMs);
    await server().app.service.jobs.runDue();
  };
  await hold(true);
  await runJobs();
  expect([await kept(full.id), await kept(other.id)]).toEqual([total, 1]);
  await hold(false);
  await runJobs();
  expect([await kept(full.id), await kept(other.id)]).toEqual([10_000, 1]);
}, 60_000);
