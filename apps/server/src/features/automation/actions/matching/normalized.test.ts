import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const alerts = JSON.parse(
  readFileSync(
    new URL('../../../../../../../tests/payloads/alertmanager-0.25-firing-2-alerts.body.json', import.meta.url),
    'utf8',
  ),
);

it('filters read what the source of the endpoint recognises, for each of its elements', async () => {
  const place = await givenActionPlace(server());
  const { id, name } = place.endpoint;
  const params = { id };
  await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params, body: { name, source: 'alertmanager' } });
  const set = await givenSet(
    server(),
    {
      match: {
        source: 'signal-endpoint',
        sourceId: id,
        payload: {
          'item.state': { operator: 'IN', values: ['firing'] },
          'normalized.severity': { operator: 'IN', values: ['page'] },
          'item.link': { operator: 'STR_CONTAINS', values: ['prom.example'] },
        },
        forEach: 'normalized.elements',
      },
    },
    place,
  );
  await signal(server(), set, alerts);
  expect(await runsOf(server(), set)).toMatchObject([
    { state: 'success', element: 1, signal: { normalized: { state: 'firing', title: 'HighLatency' } } },
  ]);
  await signal(server(), set, { ...alerts, status: 'resolved', alerts: [] });
  expect(await runsOf(server(), set)).toHaveLength(1);
});
