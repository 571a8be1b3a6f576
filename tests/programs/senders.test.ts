import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenToken } from '../../apps/server/testing/signals.ts';
import { findInstalled } from '../../examples/alertmanager/programs.ts';
import { type Program, startProgram } from './program.ts';

const groups = 30;

describe('Alertmanager with the configuration that the setup shows', () => {
  // The default limits of an installation: one signal a second, and the burst that the source proposes.
  const server = useServer({ signalRatePerSecond: 1 });
  let alertmanager: Program;
  let endpointId = 0;

  beforeAll(async () => {
    const body = { name: 'alertmanager', source: 'alertmanager' } as const;
    const { json: endpoint } = await server().admin.call('POST /api/admin/signal-endpoints', { body });
    endpointId = endpoint.id;
    const { secret } = await givenToken(server(), endpointId, 'alertmanager');
    const { json } = await server().admin.call('GET /api/admin/signal-sources');
    const { setup } = json.signalSources.find(({ name }: { name: string }) => name === 'alertmanager');
    const url = `${server().url}/api/signal-endpoint/alertmanager`;
    const receivers = setup.code.replace('{url}', url).replace('{secret}', secret);
    const route = `route:
  receiver: yardarm
  group_by: [alertname]
  group_wait: 1s
`;
    alertmanager = await startProgram(findInstalled().alertmanager, ({ port, directory }) => {
      const file = join(directory, 'alertmanager.yml');
      writeFileSync(file, route + receivers);
      return [
        ...[`--config.file=${file}`, `--storage.path=${join(directory, 'data')}`],
        ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
      ];
    });
  });
  afterAll(() => alertmanager.stop());

  it(`loses none of ${groups} groups of alerts that it sends within a second`, async () => {
    const alerts = Array.from({ length: groups }, (_, n) => ({
      labels: { alertname: `Alert${n}`, severity: 'page' },
      annotations: { summary: `Number ${n}` },
    }));
    const posted = await fetch(`http://127.0.0.1:${alertmanager.port}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alerts),
    });
    expect(posted.status).toBe(200);
    const signals = async () => {
      const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:signalEndpointId/signals', {
        params: { signalEndpointId: endpointId },
        query: { limit: 100 },
      });
      return json.signalEndpointSignals;
    };
    await expect.poll(async () => (await signals()).length, { timeout: 30_000 }).toBe(groups);
    const stored: { normalized: { title: string; state: string } }[] = await signals();
    expect(new Set(stored.map(({ normalized }) => normalized.title)).size).toBe(groups);
    expect(stored[0]?.normalized).toMatchObject({ state: 'firing', severity: 'page' });
    const params = { id: endpointId };
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', { params });
    expect(json.refusals).toEqual([]);
  });
});
