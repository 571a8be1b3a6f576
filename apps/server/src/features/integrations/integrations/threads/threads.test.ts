import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, signal } from '#testing/actions.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '#testing/server.ts';
import { useSlack } from '#testing/slack.ts';

const server = useServer({ allowPrivateIntegrationUrls: true });
const slack = useSlack();
const minuteMs = 60_000;
const holdEvents = ['feature-lease-placed', 'feature-lease-updated', 'feature-lease-released', 'feature-lease-expired'];
const freezeEvents = ['automation-frozen', 'automation-resumed'];
const adminToken = `*:*.${'ab'.repeat(28)}`;
let integrationId: number | undefined;

beforeEach(() => void slack().messages.splice(0));
beforeEach(() => void slack().calls.splice(0));
afterEach(() => remove(server()));

async function remove({ admin }: TestServer) {
  if (integrationId !== undefined) await admin.call('DELETE /api/admin/addons/:id', { params: { id: integrationId } });
  integrationId = undefined;
}

async function givenSlack(to: TestServer, more: object = {}) {
  const parameters = { accessToken: slack().token, defaultChannels: 'on-call', url: slack().url };
  const created = await givenIntegration(to, { provider: 'slack-app', parameters, events: holdEvents, ...more });
  integrationId = created.id;
}

/** Creates a set that holds two flags off while an alert fires, and one signal of that alert. */
async function givenHoldingSet(to: TestServer) {
  const place = await givenActionPlace(to);
  const other = await givenFlagIn(to, 'development', place.projectId);
  const holding = ({ featureName }: { featureName: string }, sortOrder: number) => ({
    action: 'HOLD_FEATURE',
    sortOrder,
    executionParams: {
      project: place.projectId,
      environment: 'development',
      featureName,
      effect: 'off',
      key: '{{alert}}',
    },
  });
  const when = (status: string) => ({ status: { operator: 'IN', values: [status] } });
  const { id: sourceId } = place.endpoint;
  await givenSet(
    to,
    {
      match: { source: 'signal-endpoint', sourceId, payload: when('firing'), release: when('resolved') },
      actions: [holding(place.flag, 1), holding(other, 2)],
    },
    place,
  );
  return { place, flags: [place.flag.featureName, other.featureName] };
}

const alert = (to: TestServer, place: ActionPlace, status: string, name = 'disk-full') =>
  signal(to, place, { status, alert: name });

const first = () => slack().messages.filter(({ threadTs }) => threadTs === undefined);
const replies = () => slack().messages.filter(({ threadTs }) => threadTs !== undefined);
const idle = (of = server()) => of.app.service.deliveries.idle();

describe('messages of a Slack app about the holds of an alert', () => {
  it('are one message that shows what is held now, with a reply when nothing is held any more', async () => {
    await givenSlack(server());
    const { place, flags } = await givenHoldingSet(server());
    await alert(server(), place, 'firing');
    await idle();
    expect([first().length, replies().length]).toEqual([1, 0]);
    const [thread] = first();
    for (const flag of flags) expect(thread?.blocks).toContain(`*${flag}* in *development* (off)`);
    expect(thread?.blocks).toContain('Held now');
    expect(thread?.blocks).toContain('|Open the incident>');
    await alert(server(), place, 'resolved');
    await idle();
    expect([first().length, replies().length]).toEqual([1, 1]);
    expect(replies()[0]?.threadTs).toBe(thread?.ts);
    expect(first()[0]?.blocks).toContain('Over: nothing is held any more');
    expect(first()[0]?.blocks).not.toContain('Held now');
    expect(replies().at(-1)?.text).toContain('hold released');
  });

  it('go on in the thread of their incident, and begin a new one after half an hour', async () => {
    await givenSlack(server());
    const { place } = await givenHoldingSet(server());
    for (const status of ['firing', 'resolved', 'firing']) await alert(server(), place, status);
    await alert(server(), place, 'firing', 'out-of-memory');
    await idle();
    expect(first()).toHaveLength(1);
    expect(first()[0]?.blocks).toContain('Held now');
    for (const name of ['disk-full', 'out-of-memory']) await alert(server(), place, 'resolved', name);
    server().clock.advance(31 * minuteMs);
    await alert(server(), place, 'firing');
    await idle();
    expect(first().map(({ blocks }) => blocks.includes('Held now'))).toEqual([false, true]);
  });

  it('go on in their thread when an event is redelivered', async () => {
    await givenSlack(server());
    const { place } = await givenHoldingSet(server());
    for (const status of ['firing', 'resolved']) await alert(server(), place, status);
    await idle();
    const before = replies().length;
    const params = { id: integrationId ?? 0 };
    const { deliveries } = (await server().admin.call('GET /api/admin/integrations/:id/deliveries', { params })).json;
    const placed = deliveries.at(-1);
    await server().admin.call('POST /api/admin/integrations/:id/deliveries/:deliveryId/redeliver', {
      params: { ...params, deliveryId: placed.id },
    });
    await idle();
    expect([first().length, replies().length]).toEqual([1, before + 1]);
    expect(first()[0]?.blocks).toContain('Over: nothing is held');
  });

  it('are sent one after the other, also when the integration does not keep the order', async () => {
    await givenSlack(server(), { ordered: false });
    const { place } = await givenHoldingSet(server());
    await alert(server(), place, 'firing');
    await idle();
    expect(first()).toHaveLength(1);
  });
});

describe('a thread', () => {
  const retry = async () => {
    server().clock.advance(minuteMs);
    await idle();
  };

  it('gets no second reply when the update of its first message failed before', async () => {
    await givenSlack(server());
    const place = await givenFlagIn(server(), 'development');
    const { id } = await givenHold(server(), place);
    await idle();
    slack().fail('chat.update', 'ratelimited');
    await releaseHold(server(), place, id);
    await idle();
    expect(replies()).toEqual([]);
    await retry();
    expect([first().length, replies().length]).toEqual([1, 1]);
    expect(first()[0]?.text).toContain('nothing is held');
  });

  it('goes on when Slack refuses to change its first message, and begins anew when that was deleted', async () => {
    await givenSlack(server());
    const place = await givenFlagIn(server(), 'development');
    await givenHold(server(), place);
    await idle();
    slack().fail('chat.update', 'edit_window_closed');
    await givenHold(server(), place, { effect: 'off', reason: 'still broken' });
    await idle();
    expect([first().length, replies().length]).toEqual([1, 1]);
    slack().messages.splice(0);
    await givenHold(server(), place, { effect: 'off', reason: 'really broken' });
    await idle();
    expect(slack().messages).toEqual([]);
    await retry();
    expect([first().length, replies().length]).toEqual([1, 0]);
    expect(first()[0]?.text).toContain('Held now');
  });

  it('of a frozen automation ends when it is resumed; an event that stands alone is a message of its own', async () => {
    await givenSlack(server(), { events: [...freezeEvents, 'feature-created'] });
    const freeze = (frozen: boolean, reason: string | null) =>
      server().admin.call('POST /api/admin/automation', { body: { frozen, reason } });
    await freeze(true, 'The alerts are wrong.');
    await freeze(false, null);
    await givenFlagIn(server(), 'development');
    await idle();
    expect([first().length, replies().length]).toEqual([2, 1]);
    expect(first()[0]?.text).toContain('Over: automation runs again');
    expect(first()[1]?.text).toContain('flag created');
  });

  it('is forgotten 30 days after its last message', async () => {
    await givenSlack(server());
    await givenHold(server(), await givenFlagIn(server(), 'development'));
    await idle();
    const count = async () =>
      (await server().app.database.db.selectFrom('message_threads').select('id').execute()).length;
    expect(await count()).toBeGreaterThan(0);
    server().clock.advance(31 * 24 * 60 * minuteMs);
    await server().app.service.jobs.runDue();
    expect(await count()).toBe(0);
  });
});

describe('a thread across processes', () => {
  it('goes on after a restart', async () => {
    const storage = await createStorage();
    const start = () => startServer(storage, { allowPrivateIntegrationUrls: true, initAdminTokens: [adminToken] });
    let running = await start();
    await givenSlack(running);
    const place = await givenFlagIn(running, 'development');
    const { id } = await givenHold(running, place);
    await idle(running);
    await running.stop();
    running = await start();
    await releaseHold(running, place, id);
    await idle(running);
    expect([first().length, replies().length]).toEqual([1, 1]);
    await remove(running);
    await running.stop();
    await storage.remove();
  });

  it.runIf(engine === 'postgres')('goes on in another process', async () => {
    const storage = await createStorage();
    const start = () => startServer(storage, { allowPrivateIntegrationUrls: true, initAdminTokens: [adminToken] });
    const both = [await start(), await start()] as const;
    await givenSlack(both[0]);
    const place = await givenFlagIn(both[0], 'development');
    const { id } = await givenHold(both[0], place);
    await releaseHold(both[1], place, id);
    await expect
      .poll(
        async () => {
          await Promise.all(both.map(idle));
          return slack().messages.length;
        },
        { timeout: 15_000 },
      )
      .toBe(2);
    expect([first().length, replies().length]).toEqual([1, 1]);
    await remove(both[0]);
    for (const server of both) await server.stop();
    await storage.remove();
  });
});
