import { afterEach, describe, expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenHold } from '#testing/holds.ts';
import { useReceiver } from '#testing/receiver.ts';
import { useServer } from '#testing/server.ts';
import { useSlack } from '#testing/slack.ts';

const server = useServer({ allowPrivateIntegrationUrls: true, signalEndpointsLimit: 100, actionSetsLimit: 100 });
const slack = useSlack();
const receiver = useReceiver();
const events = ['feature-lease-placed', 'feature-lease-released', 'feature-effective-state-changed'];
const link = 'https://prometheus.example/graph?alert=1';
const made: number[] = [];

afterEach(async () => {
  for (const id of made.splice(0)) await server().admin.call('DELETE /api/admin/addons/:id', { params: { id } });
  receiver().received.splice(0);
});

/** Creates an integration, as the administrator or another account. */
async function given(provider: string, client = server().admin, more: object = {}): Promise<void> {
  const parameters = {
    'slack-app': { accessToken: slack().token, defaultChannels: 'on-call', url: slack().url },
  }[provider] ?? { url: `${receiver().url}/${provider}` };
  const body = { provider, enabled: true, parameters, events, ...more };
  const reply = await client.call('POST /api/admin/addons', { body });
  expect(reply.status).toBe(201);
  made.push(reply.json.id);
}

const alert = (status: string) => {
  const labels = { alertname: 'CheckoutErrors' };
  return { status, alerts: [{ status, fingerprint: 'a', labels, generatorURL: link }] };
};

async function givenPlace() {
  const place = await givenAlertPlace(server());
  await givenSet(server(), holdingAlerts(place, { params: { minutes: 600 } }), place);
  return place;
}
const idle = () => server().app.service.deliveries.idle();
const texts = () => receiver().received.map(({ body }) => body);

describe('a message about a hold', () => {
  it.each(['slack', 'teams', 'discord'])('names the alert and links it: %s', async (provider) => {
    await given(provider);
    await signal(server(), await givenPlace(), alert('firing'));
    await idle();
    expect(texts()[0]).toContain('CheckoutErrors');
    expect(texts()[0]).toContain(link);
  });

  it('names it in the message of a Slack app also after it was updated', async () => {
    await given('slack-app');
    const place = await givenPlace();
    for (const status of ['firing', 'resolved']) {
      await signal(server(), place, alert(status));
      await idle();
    }
    const [first] = slack().messages;
    expect(first?.blocks).toContain('Over: nothing is held any more');
    expect(first?.blocks).toContain('CheckoutErrors');
    expect(first?.blocks).toContain(link);
  });

  it('names it once when the reason of the hold does', async () => {
    await given('slack');
    const place = await givenAlertPlace(server());
    const params = { reason: 'Because of {{item.labels.alertname}}', minutes: 600 };
    await givenSet(server(), holdingAlerts(place, { params }), place);
    await signal(server(), place, alert('firing'));
    await idle();
    expect(texts()[0]?.match(/CheckoutErrors/g)?.length).toBe(texts()[0]?.match(/Because of CheckoutErrors/g)?.length);
  });

  it('names no alert when a person holds the flag', async () => {
    await given('slack');
    await givenHold(server(), (await givenPlace()).flag);
    await idle();
    expect(texts()[0]).not.toContain('Alert:');
  });

  it('names no alert to a receiver that no administrator chose, because alerts need READ_SIGNALS', async () => {
    const place = await givenPlace();
    const editor = await givenCaller(server(), 'Editor');
    await given('slack', editor.client, { projects: [place.projectId] });
    await signal(server(), place, alert('firing'));
    await idle();
    expect(texts()[0]).toContain('held');
    expect(texts()[0]).not.toContain('CheckoutErrors');
    expect(texts()[0]).not.toContain(link);
  });
});
