import { describe, expect, it } from 'vitest';
import { silenceTokenId } from '#features/signals/signals/index.ts';
import { type ActionPlace, givenActionPlace } from '#testing/actions.ts';
import { givenAlertPlace, is } from '#testing/alerts.ts';
import { author } from '#testing/database.ts';
import { useServer } from '#testing/server.ts';
import { send } from '#testing/signals.ts';

const server = useServer({ signalEndpointsLimit: 1000, signalMaxBodyBytes: 5_000_000 });
const route = 'POST /api/admin/signal-endpoints/:id/match-preview';
const hourMs = 3_600_000;

const alert = (status: string, name: string) => ({ status, fingerprint: name, labels: { alertname: name } });

async function sendAll({ endpoint }: ActionPlace, ...payloads: readonly object[]): Promise<number[]> {
  const ids: number[] = [];
  for (const payload of payloads) {
    const { status, json } = await send(server(), endpoint, JSON.stringify(payload));
    expect(status).toBe(200);
    ids.push(json.signals[0].id);
  }
  return ids;
}

async function preview({ endpoint: { id } }: ActionPlace, payload: object, forEach: string | null = 'alerts') {
  const { status, text, json } = await server().admin.call(route, { params: { id }, body: { payload, forEach } });
  expect([status, text]).toEqual([200, text]);
  return json;
}

describe('the preview of filters', () => {
  it('counts the elements of the last day that they match, the ends of alerts among them, and names the newest', async () => {
    const place = await givenAlertPlace(server());
    await sendAll(place, { alerts: [alert('firing', 'Old')] });
    server().clock.advance(25 * hourMs);
    const [, signalId] = await sendAll(
      place,
      { alerts: [alert('firing', 'Down'), alert('firing', 'Slow')] },
      { alerts: [alert('resolved', 'Down')] },
      { other: [] },
    );
    const name = { 'item.labels.alertname': is('Down') };
    expect(await preview(place, name)).toMatchObject({
      ...{ signals: 3, elements: 3, matches: 2, ended: 1, truncated: false },
      examples: [
        { signalId, element: 0, title: 'Down' },
        { element: 0, title: 'Down' },
      ],
    });
    expect(await preview(place, { ...name, 'item.status': is('firing') })).toMatchObject({ matches: 1, ended: 0 });
    expect(await preview(place, {})).toMatchObject({ elements: 3, matches: 3, ended: 1 });
    expect(await preview(place, {}, null)).toMatchObject({ elements: 3, matches: 3 });
  });

  it('does not count the silences that Yardarm reports', async () => {
    const place = await givenActionPlace(server());
    await sendAll(place, { n: 1 });
    await server().app.database.writeQuietly('jobs', author, async (tx) => {
      await tx.db
        .updateTable('signals')
        .set({ token_id: silenceTokenId })
        .where('endpoint_id', '=', place.endpoint.id)
        .execute();
    });
    expect(await preview(place, {}, null)).toMatchObject({ signals: 0, matches: 0 });
  });

  it('reads at most 20,000 elements, and says so', async () => {
    const place = await givenActionPlace(server());
    const elements = Array.from({ length: 9000 }, (_, n) => n);
    await sendAll(place, { elements }, { elements }, { elements });
    expect(await preview(place, {}, 'elements')).toMatchObject({ signals: 2, elements: 18_000, truncated: true });
  });

  it('reads at most eight million characters, and says so', async () => {
    const place = await givenActionPlace(server());
    const text = 'x'.repeat(3_000_000);
    await sendAll(place, { text }, { text }, { text });
    expect(await preview(place, {}, null)).toMatchObject({ signals: 2, truncated: true });
  });

  it('spends a limited amount of work on filters, and says so', async () => {
    const place = await givenActionPlace(server());
    const text = 'x'.repeat(1_000_000);
    await sendAll(place, { text }, { text }, { text });
    const values = Array.from({ length: 25 }, (_, n) => `${'x'.repeat(90)}${n}`);
    const { signals, truncated } = await preview(place, { text: { operator: 'STR_CONTAINS', values } }, null);
    expect([signals < 3, truncated]).toEqual([true, true]);
  });

  it.each([
    ['a filter without values', { payload: { status: { operator: 'IN', values: [] } } }, 'payload.status.values'],
    ['a path that is none', { payload: { 'a..b': is('x') } }, 'payload.a..b'],
    ['an array that is none', { payload: {}, forEach: 'a..b' }, 'forEach'],
  ])('refuses %s', async (_case, body, path) => {
    const { endpoint } = await givenActionPlace(server());
    const { status, json } = await server().admin.call(route, { params: { id: endpoint.id }, body });
    expect([status, json.details?.[0].path]).toEqual([400, path]);
  });
});
