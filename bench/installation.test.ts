import { describe, expect, it } from 'vitest';
import { callApi } from './api.ts';
import { createInstallation } from './installation.ts';
import { createSender } from './scenarios/signal-sender.ts';
import { searchedCustomer, seedEvents } from './seed/events.ts';
import { seedFlags, seedProject } from './seed/flags.ts';
import { seedSignals } from './seed/signals.ts';
import { testContext } from './test-context.ts';

interface Events {
  readonly totalEvents: number;
  readonly events: readonly { readonly id: number; readonly type: string; readonly featureName: string | null }[];
}

describe('an installation', () => {
  it('keeps its data between starts, and deletes its database at the end', async () => {
    await using context = await testContext();
    let left: () => Promise<unknown>;
    {
      await using installation = await createInstallation(context);
      const first = await installation.start();
      await createSender(first, installation.adminToken);
      await first.stop();
      await using second = await installation.start();
      expect(await callApi(second.origin, installation.adminToken, 'GET', '/api/admin/signal-endpoints')).toMatchObject(
        { signalEndpoints: [{ name: 'bench' }] },
      );
      left = () => installation.query('select 1 from signal_endpoints');
    }
    if (context.engine === 'postgres') await expect(left()).rejects.toThrow('does not exist');
  });

  it('refuses a scenario that has no engine', async () => {
    await using context = await testContext();
    await expect(createInstallation({ ...context, engine: undefined })).rejects.toThrow('no engine');
  });
});

describe('seeded data', () => {
  it('is served like data of the API, and later changes continue its ids', async () => {
    await using context = await testContext();
    await using installation = await createInstallation(context);
    const empty = await installation.start();
    const send = await createSender(empty, installation.adminToken);
    const get = <Body>(origin: string, path: string) => callApi<Body>(origin, installation.adminToken, 'GET', path);
    const before = await get<Events>(empty.origin, '/api/admin/events');
    await empty.stop();

    await seedProject(installation, 'small');
    await seedFlags(installation, { count: 10, project: 'small', prefix: 'small-' });
    await seedFlags(installation, { count: 5, project: 'default', prefix: 'flag-' });
    await seedEvents(installation, { count: 400, flags: 5, smallProject: 'small' });
    await seedSignals(installation, 30);

    await using server = await installation.start();
    // The second start is recorded as an event too, possibly after the server has begun to answer.
    const last = before.totalEvents + 400 + 1;
    await expect
      .poll(() => get<Events>(server.origin, '/api/admin/events'))
      .toMatchObject({ totalEvents: last, events: expect.arrayContaining([expect.objectContaining({ id: last })]) });
    const ofProject = await get<Events>(server.origin, '/api/admin/events?project=small');
    expect(ofProject).toMatchObject({ totalEvents: 20, events: { length: 20 } });
    const ofFlag = await get<Events>(server.origin, '/api/admin/events/flag-3');
    expect(ofFlag).toMatchObject({ totalEvents: 80, events: { length: 80 } });
    const found = await get<Events>(server.origin, `/api/admin/search/events?query=${searchedCustomer(400)}`);
    expect(found).toMatchObject({ total: 1, events: [{ type: 'feature-strategy-update' }] });
    expect(await get(server.origin, '/api/admin/projects/small/features')).toMatchObject({ features: { length: 10 } });
    expect(await get(server.origin, '/api/admin/signals?limit=7')).toMatchObject({ total: 30, signals: { length: 7 } });

    const off = '/api/admin/projects/default/features/flag-4/environments/development/off';
    await callApi(server.origin, installation.adminToken, 'POST', off);
    const { path, headers, body } = send('{"status":"firing"}');
    const sent = await fetch(server.origin + path, { method: 'POST', headers: { ...headers }, body: body ?? '' });
    expect(await sent.json()).toMatchObject({ signals: [{ id: 31 }] });
    expect((await get<Events>(server.origin, '/api/admin/events')).events[0]).toMatchObject({
      id: last + 1,
      type: 'feature-environment-disabled',
    });
    const served = await callApi<{ features: { name: string; enabled: boolean; strategies: unknown[] }[] }>(
      server.origin,
      installation.backendToken,
      'GET',
      '/api/client/features',
    );
    expect(served.features).toHaveLength(15);
    expect(served.features.filter((flag) => !flag.enabled).map((flag) => flag.name)).toEqual(['flag-4']);
    expect(served.features.every((flag) => flag.strategies.length === 2)).toBe(true);
  });
});
