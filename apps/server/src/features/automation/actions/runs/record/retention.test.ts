import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { givenSet, isOn, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const dayMs = 86_400_000;

const daysPass = async (server: TestServer, days: number) => {
  server.clock.advance(days * dayMs);
  await server.app.service.jobs.runDue();
};
const digestOf = (text: string) => ({
  sha256: createHash('sha256').update(text).digest('hex'),
  bytes: Buffer.byteLength(text),
  deletedAt: expect.any(String),
});

describe('a run and its signal', () => {
  const server = useServer({ signalRetentionDays: 90 });

  it('that changed a flag: the run is kept as long as its events, and of the payload its digest', async () => {
    const set = await givenSet(server());
    const signalId = await signal(server(), set, { status: 'firing' });
    const [run] = await runsOf(server(), set);
    expect(run.signal).toMatchObject({ payload: { status: 'firing' }, deleted: null });
    await daysPass(server(), 91);
    await daysPass(server(), 400);
    const deleted = digestOf('{"status":"firing"}');
    expect(await runsOf(server(), set)).toMatchObject([
      { id: run.id, signal: { id: signalId, sourceId: set.endpoint.id, payload: null, deleted } },
    ]);
    const answer = await server().admin.call('GET /api/admin/action-runs/:runId', { params: { runId: run.id } });
    expect(answer).toMatchObject({ status: 200, json: { signal: { deleted }, events: [{}, {}] } });
    const { json } = await server().admin.call('GET /api/admin/signals', { query: { id: `IS:${signalId}` } });
    expect(json).toMatchObject({
      signals: [],
      deleted: [{ id: signalId, sourceId: set.endpoint.id, createdAt: run.signal.createdAt, ...deleted }],
    });
  });

  it('that changed nothing are deleted after the retention of signals', async () => {
    const set = await givenSet(server(), { shadow: true });
    const signalId = await signal(server(), set, { status: 'firing' });
    expect(await runsOf(server(), set)).toHaveLength(1);
    await daysPass(server(), 91);
    expect(await runsOf(server(), set)).toEqual([]);
    const { json } = await server().admin.call('GET /api/admin/signals', { query: { id: `IS:${signalId}` } });
    expect(json).toMatchObject({ signals: [], deleted: [] });
  });

  it('are not deleted during a legal hold', async () => {
    const set = await givenSet(server(), { shadow: true });
    await signal(server(), set, { status: 'firing' });
    await server().admin.call('POST /api/admin/legal-hold', { body: { enabled: true, reason: 'Case 4711' } });
    await daysPass(server(), 91);
    expect(await runsOf(server(), set)).toMatchObject([{ signal: { payload: { status: 'firing' } } }]);
  });
});

describe('a run whose events have a retention', () => {
  const server = useServer({ signalRetentionDays: 90, eventRetentionChangesDays: 365 });

  it('is deleted with its events', async () => {
    const set = await givenSet(server());
    const signalId = await signal(server(), set, { status: 'firing' });
    await daysPass(server(), 91);
    expect(await runsOf(server(), set)).toHaveLength(1);
    // The newest event of each type and environment is never deleted, so another run records newer ones.
    await signal(server(), await givenSet(server()), { status: 'firing' });
    await daysPass(server(), 300);
    await daysPass(server(), 1);
    expect(await runsOf(server(), set)).toEqual([]);
    const { json } = await server().admin.call('GET /api/admin/signals', { query: { id: `IS:${signalId}` } });
    expect(json.deleted).toEqual([]);
  });
});

describe('a release that waits', () => {
  const server = useServer({ signalRetentionDays: 90, signalEndpointsLimit: 10 });

  it.each([
    ['endpoint', { retentionDays: 1 }, 2],
    ['instance', {}, 91],
  ])('is kept with its signal longer than the retention of the %s, and ends the hold', async (_, endpoint, days) => {
    const place = await givenAlertPlace(server());
    const { id, name } = place.endpoint;
    const body = { name, ...endpoint };
    await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
    const set = await givenSet(server(), holdingAlerts(place, { params: { minutes: 0 } }), place);
    const send = (status: string) => signal(server(), place, { alerts: [{ status, fingerprint: 'a' }] });
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    await send('firing');
    await freeze(true);
    await send('resolved');
    await daysPass(server(), days);
    await daysPass(server(), 1);
    await freeze(false);
    await daysPass(server(), 1);
    expect((await runsOf(server(), set))[0]).toMatchObject({ state: 'success', reason: null });
    expect(await isOn(server(), place.flag)).toBe(true);
    const leases = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
    expect((await server().admin.call(leases, { params: place.flag })).json.leases).toEqual([]);
  });
});
