import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActionPlace } from '#testing/actions.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { useReceiver } from '#testing/receiver.ts';
import { useServer } from '#testing/server.ts';
import { useSlack } from '#testing/slack.ts';
import { givenStorm, sendAlerts, storm, stormEvents } from '#testing/storm.ts';

const server = useServer({ allowPrivateIntegrationUrls: true, signalEndpointsLimit: 100 });
const slack = useSlack();
const receiver = useReceiver();
const minuteMs = 60_000;
let integrationIds: number[] = [];

beforeEach(() => void slack().messages.splice(0));
beforeEach(() => void slack().calls.splice(0));
beforeEach(() => void receiver().received.splice(0));
afterEach(async () => {
  for (const id of integrationIds) await server().admin.call('DELETE /api/admin/addons/:id', { params: { id } });
  integrationIds = [];
});

/** Creates an integration whose messages go to the receiver or to the workspace. Returns its id. */
async function given(provider: string): Promise<number> {
  const url = `${receiver().url}/${provider}`;
  const parameters = {
    'slack-app': { accessToken: slack().token, defaultChannels: 'on-call', url: slack().url },
    'pagerduty-alerts': { routingKey: 'key', url },
  }[provider] ?? { url };
  const { id } = await givenIntegration(server(), { provider, parameters, events: stormEvents });
  integrationIds.push(id);
  return id;
}

const alerts = (place: ActionPlace, flags: readonly string[], status: string) =>
  sendAlerts(server(), place, flags, status);
const idle = () => server().app.service.deliveries.idle();
const after = async (ms: number) => {
  server().clock.advance(ms);
  await idle();
};
const texts = () => receiver().received.map(({ body }) => body);

describe('a storm of 30 flags by one request', () => {
  it('is one message of a Slack app, which is updated with its flags, and one reply at its end', async () => {
    await given('slack-app');
    const { place, flags } = await givenStorm(server());
    await alerts(place, flags, 'firing');
    await idle();
    const [message, ...others] = slack().messages;
    expect(others).toEqual([]);
    expect(message?.blocks).toContain('Held now (20 of 30): ');
    expect(message?.blocks).toMatch(/Reasons: Down\. Until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Held now/);
    expect(message?.text).toContain('30 × flag held');
    expect(message?.blocks).toMatch(/\/incidents\/\d+\|Open the incident>/);
    await after(6 * minuteMs);
    expect(slack().messages).toHaveLength(1);
    await alerts(place, flags, 'resolved');
    await idle();
    const [first, end, ...more] = slack().messages;
    expect(more).toEqual([]);
    expect(first?.blocks).toContain('Over: nothing is held any more');
    expect(end).toMatchObject({ threadTs: first?.ts, text: expect.stringContaining('30 × flag hold released') });
  });

  it.each(['slack', 'teams', 'discord'])(
    'is a message of %s at its beginning, at most one digest, and one at its end',
    async (provider) => {
      await given(provider);
      const { place, flags } = await givenStorm(server());
      const [one = '', ...rest] = flags;
      await alerts(place, [one], 'firing');
      await idle();
      expect(texts()).toHaveLength(1);
      expect(texts()[0]).toContain(one);
      server().clock.advance(1000);
      await alerts(place, rest, 'firing');
      await after(4 * minuteMs);
      expect(texts()).toHaveLength(1);
      await after(minuteMs);
      expect(texts()).toHaveLength(2);
      expect(texts()[1]).toContain('29 × flag held');
      expect(texts()[1]).toMatch(/Held now \\*\(20 of 30\\*\): /);
      expect(texts()[1]).not.toContain('Release or override');
      await after(6 * minuteMs);
      expect(texts()).toHaveLength(2);
      await alerts(place, flags, 'resolved');
      await idle();
      expect(texts()).toHaveLength(3);
      expect(texts()[2]).toContain('Over: nothing is held any more');
      await after(6 * minuteMs);
      expect(texts()).toHaveLength(3);
    },
  );

  it('is one alert of PagerDuty, which is resolved once', async () => {
    await given('pagerduty-alerts');
    const { place, flags } = await givenStorm(server());
    await alerts(place, flags, 'firing');
    await idle();
    await alerts(place, flags, 'resolved');
    await idle();
    const sent = texts().map((text) => JSON.parse(text));
    expect(sent.map(({ event_action }) => event_action)).toEqual(['trigger', 'resolve']);
    expect(sent[0].dedup_key).toBe(sent[1].dedup_key);
  });

  it('is an event each for a webhook, which programs read', async () => {
    await given('webhook');
    const { place, flags } = await givenStorm(server());
    await alerts(place, flags, 'firing');
    await idle();
    const held = texts().filter((text) => JSON.parse(text).type === 'feature-lease-placed');
    expect(new Set(held.map((text) => JSON.parse(text).featureName))).toEqual(new Set(flags));
    expect(held).toHaveLength(storm);
  });
});

describe('messages about an incident', () => {
  it('tell a flag at once that is held long after the message before', async () => {
    await given('slack');
    const { place, flags } = await givenStorm(server());
    const [one = '', another = ''] = flags;
    await alerts(place, [one], 'firing');
    await idle();
    await after(60 * minuteMs);
    await alerts(place, [another], 'firing');
    await idle();
    expect(texts()).toHaveLength(2);
    expect(texts()[1]).toContain(another);
  });

  it('are at most one in five minutes while an alert flaps, and the last says that it is over', async () => {
    await given('slack');
    const { place, flags } = await givenStorm(server());
    const [one = ''] = flags;
    for (let n = 0; n < 6; n++) {
      await alerts(place, [one], n % 2 === 0 ? 'firing' : 'resolved');
      await after(minuteMs);
    }
    await after(5 * minuteMs);
    expect(texts()).toHaveLength(3);
    expect(texts().at(-1)).toContain('Over: nothing is held any more');
  });

  it('are sent again when a person wants it', async () => {
    const id = await given('slack');
    const { place, flags } = await givenStorm(server());
    await alerts(place, flags.slice(0, 2), 'firing');
    await idle();
    const { deliveries } = (await server().admin.call('GET /api/admin/integrations/:id/deliveries', { params: { id } }))
      .json;
    expect(deliveries.map(({ details }: { details: string }) => details)).toEqual([
      expect.stringMatching(/^An earlier message of the incident \d+ told this event\.$/),
      'The receiver answered 200.',
    ]);
    await server().admin.call('POST /api/admin/integrations/:id/deliveries/:deliveryId/redeliver', {
      params: { id, deliveryId: deliveries[0].id },
    });
    await idle();
    expect(texts()).toHaveLength(2);
  });
});
