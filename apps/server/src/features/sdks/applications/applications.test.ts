import { describe, expect, it } from 'vitest';
import { givenMember } from '#testing/access.ts';
import { givenApplication } from '#testing/applications.ts';
import { freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId, testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { givenSdk } from '#testing/tokens.ts';
import { applicationScenarios } from './applications.scenarios.ts';
import { applicationHandlers } from './routes.ts';
import { unknownFlagHandlers } from './unknown-flags.ts';

const dayMs = 24 * 60 * 60 * 1000;
const list = 'GET /api/admin/metrics/applications';
const show = 'GET /api/admin/metrics/applications/:appName';

describe('applications routes', () => {
  const server = useServer();
  testScenarios(server, applicationScenarios);

  it('are listed in pages and in the requested order, with the same statements however many there are', async () => {
    const names: string[] = [];
    for (let n = 0; n < 3; n++) names.push(await givenApplication(server(), { flags: ['any'], sdkVersion: 'x:1' }));
    const query = { query: 'app-', sortBy: 'appName', sortOrder: 'desc', limit: 2, offset: 1 };
    const all = (await server().admin.call(list, { query: { query: 'app-', limit: 1000 } })).json;
    const sorted = all.applications.map(({ appName }: { appName: string }) => appName).toReversed();
    const { json } = await server().admin.call(list, { query });
    expect(json.total).toBe(sorted.length);
    expect(json.applications.map(({ appName }: { appName: string }) => appName)).toEqual(sorted.slice(1, 3));
    const { db, counter } = counted(server().app.database);
    const handlers = applicationHandlers({ ...server().app.database, db }, server().clock);
    const statements = async (limit: number) => {
      counter.statements = 0;
      const input = { query: { offset: 0, limit }, caller: { hidden: new Set() } } as never;
      await handlers[list](input);
      return counter.statements;
    };
    expect(await statements(1)).toBe(await statements(1000));
  });
});

describe('applications that use private projects', () => {
  const server = useServer();

  it('are visible to users who may see one of their projects', async () => {
    const secret = await givenProject(server(), { mode: 'private' });
    const { featureName } = await givenFlag(server(), {}, secret);
    const { featureName: open } = await givenFlag(server());
    const hidden = await givenApplication(server(), { flags: [featureName], sdkVersion: 'unleash-client-go:1.0' });
    const both = await givenApplication(server(), { flags: [featureName, open] });
    const member = await givenMember(server(), secret, 5);
    const viewer = server().client(await server().tokenOf('viewer'));
    expect((await member.client.call(show, { params: { appName: hidden } })).status).toBe(200);
    expect((await viewer.call(show, { params: { appName: hidden } })).status).toBe(404);
    const seen = (await viewer.call(show, { params: { appName: both } })).json;
    expect(seen.usage).toEqual([{ project: 'default', environments: ['development'] }]);
    expect((await viewer.call(list)).json).toMatchObject({ total: 1, applications: [{ appName: both }] });
    expect((await viewer.call('GET /api/admin/metrics/sdks/outdated')).json.sdks).toEqual([]);
    const overview = 'GET /api/admin/metrics/applications/:appName/overview';
    expect((await viewer.call(overview, { params: { appName: both } })).json).toMatchObject({
      projects: ['default'],
      featureCount: 1,
      // The other flag is in a hidden project, so it is not reported as missing.
      environments: [{ issues: { missingFeatures: [] } }],
    });
    const ofProject = 'GET /api/admin/projects/:projectId/applications';
    expect((await viewer.call(ofProject, { params: { projectId: secret } })).status).toBe(404);
  });
});

describe('an application that uses flags of private projects alone', () => {
  const server = useServer();

  it('is described and deleted by users who do not see its projects as if there were none, and stays as it is', async () => {
    const secret = await givenProject(server(), { mode: 'private' });
    const { featureName } = await givenFlag(server(), {}, secret);
    const hidden = await givenApplication(server(), { flags: [featureName], strategies: ['of-its-sdk'] });
    const describeIt = 'POST /api/admin/metrics/applications/:appName';
    const forget = 'DELETE /api/admin/metrics/applications/:appName';
    const body = { description: 'of its owners' };
    await server().admin.call(describeIt, { params: { appName: hidden }, body });
    const editor = server().client(await server().tokenOf('editor'));
    server().clock.advance(60_000);
    const answers = async (appName: string) => {
      const params = { appName };
      const before = await lastEventId(server());
      const replies = [
        await editor.call(show, { params }),
        await editor.call(forget, { params }),
        await editor.call(describeIt, { params, body: { description: 'of an Editor' } }),
        await editor.call(describeIt, { params, body: { url: 'https://example.com/' } }),
        await editor.call(show, { params }),
        await editor.call('GET /api/admin/metrics/applications/:appName/overview', { params }),
        await editor.call(list, { query: { query: appName } }),
        await editor.call(forget, { params }),
        await editor.call(show, { params }),
      ];
      const events = (await eventsAfter(server(), before)).map(({ type, data, preData }) => ({ type, data, preData }));
      const told = JSON.stringify([...replies.map(({ status, text }) => ({ status, text })), ...events], null, 1);
      // Errors have an id of their own.
      return told
        .replaceAll(/\\"id\\":\\"[^"]+\\"/g, '')
        .replaceAll(appName, 'app')
        .split('\n');
    };
    expect(await answers(hidden)).toEqual(await answers(freshName('none')));
    const kept = (await server().admin.call(show, { params: { appName: hidden } })).json;
    expect(kept).toMatchObject({ ...body, strategies: [{ name: 'of-its-sdk' }], usage: [{ project: secret }] });
    const { client } = await givenMember(server(), secret, 5);
    expect((await client.call(show, { params: { appName: hidden } })).json).toMatchObject(body);
    expect((await server().admin.call(forget, { params: { appName: hidden } })).status).toBe(200);
    expect((await server().admin.call(show, { params: { appName: hidden } })).status).toBe(404);
  });
});

describe('the applications of a project', () => {
  const server = useServer();
  const ofProject = 'GET /api/admin/projects/:projectId/applications';
  const environment = 'development';

  /** Reports, for instances of applications, that the applications evaluate the flag. */
  const report = async (featureName: string, instances: readonly { appName: string; instanceId: string }[]) => {
    const sdk = await givenSdk(server());
    const timestamp = new Date(server().clock.now()).toISOString();
    const names = [...new Set(instances.map(({ appName }) => appName))];
    const body = {
      applications: instances.map((instance) => ({
        ...instance,
        environment,
        strategies: [],
        sdkVersion: 'unleash-client-node:4.1.0',
      })),
      metrics: names.map((appName) => ({ featureName, appName, environment, timestamp, yes: 1, no: 0 })),
    };
    expect((await sdk.call('POST /api/client/metrics/bulk', { body })).status).toBe(202);
    await server().app.service.usage.flush();
  };

  it('come in pages of 50', async () => {
    const { projectId, featureName } = await givenFlag(server(), {}, await givenProject(server()));
    const names = Array.from({ length: 60 }, (_, n) => `paged-${String(n).padStart(2, '0')}`);
    await report(
      featureName,
      names.map((appName) => ({ appName, instanceId: 'one' })),
    );
    const page = async (query: object) => {
      const { json } = await server().admin.call(ofProject, { params: { projectId }, query: { ...query } });
      return { total: json.total, names: json.applications.map(({ name }: { name: string }) => name) };
    };
    expect(await page({})).toEqual({ total: 60, names: names.slice(0, 50) });
    expect(await page({ offset: 50 })).toEqual({ total: 60, names: names.slice(50) });
    const tooMany = { params: { projectId }, query: { limit: 1000 } };
    expect((await server().admin.call(ofProject, tooMany)).status).toBe(400);
    expect(await page({ limit: 3, offset: 1, sortOrder: 'desc' })).toEqual({
      total: 60,
      names: names.toReversed().slice(1, 4),
    });
  });

  it('name the 100 instances that were seen last, and tell how many instances there are', async () => {
    const { projectId, featureName } = await givenFlag(server(), {}, await givenProject(server()));
    const instancesOf = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        appName: 'large',
        instanceId: `${prefix}-${String(n).padStart(2, '0')}`,
      }));
    await report(featureName, instancesOf('early', 70));
    server().clock.advance(60_000);
    await report(featureName, instancesOf('late', 60));
    await report(featureName, [{ appName: 'small', instanceId: 'one' }]);
    const { json } = await server().admin.call(ofProject, { params: { projectId } });
    const [large, small] = json.applications;
    expect(large).toMatchObject({ name: 'large', environments: [environment], instanceCount: 130 });
    expect(large.instances).toHaveLength(100);
    expect(large.instances).toEqual([
      ...instancesOf('early', 40).map(({ instanceId }) => instanceId),
      ...instancesOf('late', 60).map(({ instanceId }) => instanceId),
    ]);
    const sdks = [{ name: 'unleash-client-node', versions: ['4.1.0'] }];
    expect(small).toEqual({ name: 'small', environments: [environment], instances: ['one'], instanceCount: 1, sdks });
  });
});

describe('applications that report no more', () => {
  const server = useServer();

  it('are forgotten, unless a person has described them, and come back when they report', async () => {
    const gone = await givenApplication(server(), { flags: ['missing'] });
    const described = await givenApplication(server(), {});
    const params = { appName: described };
    await server().admin.call('POST /api/admin/metrics/applications/:appName', { params, body: { icon: 'x' } });
    server().clock.advance(29 * dayMs);
    await server().app.service.jobs.runDue();
    expect((await server().admin.call(show, { params: { appName: gone } })).status).toBe(200);
    server().clock.advance(2 * dayMs);
    await server().app.service.jobs.runDue();
    expect((await server().admin.call(show, { params: { appName: gone } })).status).toBe(404);
    expect((await server().admin.call(show, { params })).status).toBe(200);
    const { db } = server().app.database;
    expect(await db.selectFrom('application_unknown_flags').selectAll().execute()).toEqual([]);
    await (await givenSdk(server())).call('POST /api/client/metrics', { body: { appName: gone, bucket: null } });
    await server().app.service.usage.flush();
    expect((await server().admin.call(show, { params: { appName: gone } })).status).toBe(200);
  });
});

describe('names that clients make up', () => {
  const server = useServer({ applicationLimit: 3 });

  it('make known only so many applications; who was there first stays', async () => {
    const first = await givenApplication(server(), { flags: ['a'] });
    const sdk = await givenSdk(server());
    const start = server().clock.now();
    const report = (appName: string, instanceId: string, toggles: object) =>
      sdk.call('POST /api/client/metrics', { body: { appName, instanceId, bucket: { start, stop: start, toggles } } });
    for (let n = 0; n < 20; n++) await report(`made-up-${n}`, 'i', { [freshName('none')]: { yes: 1, no: 0 } });
    await server().app.service.usage.flush();
    const { json } = await server().admin.call(list);
    expect(json.total).toBe(3);
    expect(json.applications[0].appName).toBe(first);
    expect(
      server().logged.some((line) => line.includes('the limit of 3 reported applications is reached: ignored 18')),
    ).toBe(true);
    const unknown = await server()
      .app.database.db.selectFrom('application_unknown_flags')
      .select('app_name')
      .distinct()
      .execute();
    expect(unknown).toHaveLength(3);
  });

  it('leave room for the instances of an application that were heard of last', async () => {
    const sdk = await givenSdk(server());
    for (let round = 0; round < 4; round++) {
      server().clock.advance(1000);
      const applications = Array.from({ length: 600 }, (_, n) => ({
        appName: 'made-up-0',
        instanceId: `many-${round}-${n}`,
        environment: 'development',
        strategies: [],
      }));
      const reply = await sdk.call('POST /api/client/metrics/bulk', { body: { applications, metrics: [] } });
      expect(reply.status).toBe(202);
      await server().app.service.usage.flush();
    }
    const { db } = server().app.database;
    const rows = await db
      .selectFrom('application_instances')
      .select('instance_id')
      .where('app_name', '=', 'made-up-0')
      .execute();
    expect(rows).toHaveLength(2000);
    expect(rows.filter(({ instance_id }) => instance_id.startsWith('many-3-'))).toHaveLength(600);
  });
});

describe('flags that do not exist', () => {
  const server = useServer();
  const listed = 'GET /api/admin/metrics/unknown-flags';

  it('name the application that evaluated them last, the last evaluated first', async () => {
    const [early, late] = ['asked-for-early', 'asked-for-late'];
    const first = await givenApplication(server(), { flags: [early, late] });
    server().clock.advance(60_000);
    const second = await givenApplication(server(), { flags: [late] });
    const { unknownFlags } = (await server().admin.call(listed)).json;
    expect(unknownFlags).toMatchObject([
      { name: late, applications: [{ appName: second }, { appName: first }] },
      { name: early, applications: [{ appName: first }] },
    ]);
    expect(unknownFlags[0].lastSeenAt).toBe(unknownFlags[0].applications[0].lastSeenAt);
    expect(unknownFlags[0].lastSeenAt > unknownFlags[1].lastSeenAt).toBe(true);
    const { db, counter } = counted(server().app.database);
    await unknownFlagHandlers({ db })[listed]({ caller: { hidden: new Set() } } as never);
    expect(counter.statements).toBe(1);
  });

  it('do not name hidden applications, and leave out flags that are only hidden', async () => {
    const secret = await givenProject(server(), { mode: 'private' });
    const { featureName } = await givenFlag(server(), {}, secret);
    await givenApplication(server(), { flags: [featureName, 'said-in-private'] });
    await givenApplication(server(), {
      flags: [featureName, (await givenFlag(server())).featureName, 'said-in-public'],
    });
    const viewer = server().client(await server().tokenOf('viewer'));
    const namesFor = async (client: typeof viewer) =>
      (await client.call(listed)).json.unknownFlags.map(({ name }: { name: string }) => name);
    expect(await namesFor(server().admin)).toEqual(expect.arrayContaining(['said-in-private', 'said-in-public']));
    expect(await namesFor(viewer)).toContain('said-in-public');
    expect(await namesFor(viewer)).not.toContain('said-in-private');
    expect(await namesFor(viewer)).not.toContain(featureName);
  });

  it('do not fill the database, whatever names clients make up', async () => {
    const sdk = await givenSdk(server());
    for (let round = 0; round < 3; round++) {
      server().clock.advance(1000);
      const now = server().clock.now();
      const names = Array.from({ length: 2400 }, (_, n) => [`made-up-${round}-${n}`, { yes: 1, no: 0 }]);
      const bucket = { start: now, stop: now, toggles: Object.fromEntries(names) };
      expect((await sdk.call('POST /api/client/metrics', { body: { appName: 'inventive', bucket } })).status).toBe(202);
      await server().app.service.usage.flush();
    }
    const { unknownFlags } = (await server().admin.call(listed)).json;
    expect(unknownFlags).toHaveLength(5000);
    expect(unknownFlags[0].name).toMatch(/^made-up-2-/);
    const oldest = unknownFlags.filter(({ name }: { name: string }) => name.startsWith('made-up-0-'));
    expect(oldest).toHaveLength(200);
  });
});
