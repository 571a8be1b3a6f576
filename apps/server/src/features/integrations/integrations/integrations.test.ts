import { describe, expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { freshName, givenFlag, givenFlagIn, givenProject, switchFlag } from '#testing/flags.ts';
import { givenIntegration, integrationBody } from '#testing/integrations.ts';
import { useReceiver } from '#testing/receiver.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '#testing/server.ts';
import { integrationScenarios } from './integrations.scenarios.ts';

const events = ['feature-created', 'feature-environment-enabled'];
const settings = { allowPrivateIntegrationUrls: true };

describe('addons routes', () => testScenarios(useServer(), integrationScenarios));

describe('a webhook', () => {
  const server = useServer(settings);
  const receiver = useReceiver();

  /** Creates a webhook with its own path; returns functions that read its requests and its deliveries. */
  async function given(more: object = {}, parameters: object = {}) {
    const path = `/${freshName('hook')}`;
    const all = { url: `${receiver().url}${path}`, ...parameters };
    const { id } = await givenIntegration(server(), { parameters: all, events, ...more });
    const sent = async () => {
      await server().app.service.deliveries.idle();
      return receiver().received.filter((request) => request.path === path);
    };
    const log = async () => {
      await server().app.service.deliveries.idle();
      const reply = await server().admin.call('GET /api/admin/addons/:id/events', { params: { id } });
      return reply.json.integrationEvents;
    };
    return { id, path, sent, log, url: all.url };
  }

  it('receives the events of its types, in order, as the event log shows them', async () => {
    const { sent, log } = await given({}, { authorization: 'Bearer x', customHeaders: '{"X-Of":"us"}' });
    const params = await givenFlagIn(server());
    await server().admin.call('POST /api/admin/projects/:projectId/favorites', { params });
    await switchFlag(server(), params, 'on');
    const received = await sent();
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(events);
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer x',
      'x-of': 'us',
    });
    const logged = (await server().admin.call('GET /api/admin/events', { query: { limit: 50 } })).json.events;
    const body = JSON.parse(received[0]?.body ?? '');
    expect(Object.keys(body)).not.toContain('origin');
    expect(logged).toContainEqual({ ...body, origin: expect.objectContaining({ method: 'admin-token' }) });
    expect(await log()).toMatchObject([
      { state: 'success', event: { type: events[1] }, details: { attempts: 1, status: 200 } },
      { state: 'success', event: body },
    ]);
  });

  it('receives only events of its projects and environments', async () => {
    const project = await givenProject(server());
    const { sent } = await given({ projects: [project], environments: ['production'] });
    const flag = await givenFlag(server(), {}, project);
    await givenFlag(server());
    for (const environment of ['development', 'production']) await switchFlag(server(), { ...flag, environment }, 'on');
    const received = (await sent()).map(({ body }) => JSON.parse(body));
    expect(received.map(({ type, environment }) => [type, environment])).toEqual([
      ['feature-created', null],
      ['feature-environment-enabled', 'production'],
    ]);
  });

  it('receives the body that its template renders', async () => {
    const bodyTemplate = '{"text":"{{eventMarkdown}}","of":"{{event.featureName}}","all":{{{eventJson}}}}';
    const { sent } = await given({ events: ['feature-created'] }, { bodyTemplate });
    const { featureName } = await givenFlag(server(), { description: 'with "quotes"' });
    const body = JSON.parse((await sent())[0]?.body ?? '');
    expect(body.of).toBe(featureName);
    expect(JSON.parse(body.all)).toMatchObject({ data: { description: 'with "quotes"' }, summary: body.text });
  });

  it('is retried after failures, without redirects, before it receives the next events', async () => {
    const { path, sent, log, url } = await given({ events: ['feature-created'] });
    receiver().answer(path, 500, 200, 302, 0);
    for (let n = 0; n < 3; n++) await givenFlag(server());
    expect(await sent()).toHaveLength(1);
    expect(await log()).toMatchObject([{ state: 'failed', details: { attempts: 1, status: 500 } }]);
    server().clock.advance(5000);
    // The second event got a redirect.
    expect(await sent()).toHaveLength(3);
    server().clock.advance(5000);
    expect(await sent()).toHaveLength(4);
    server().clock.advance(15_000);
    expect(await sent()).toHaveLength(6);
    const entries = await log();
    expect(entries).toMatchObject([
      { state: 'success', details: { attempts: 1 } },
      { state: 'success', details: { attempts: 3 } },
      { state: 'success', details: { attempts: 2 } },
    ]);
    expect(receiver().received.map(({ path }) => path)).not.toContain('/elsewhere');
    expect(JSON.stringify(entries)).not.toContain(new URL(url).port);
    const ids = (await sent()).map(({ headers }) => headers['webhook-id']);
    expect([ids[0] === ids[1], ids[2] === ids[3], ids[3] === ids[4], new Set(ids).size]).toEqual([true, true, true, 3]);
  });

  it('that is disabled during a delivery does not receive the next event', async () => {
    const { id, path, sent, url } = await given();
    const params = await givenFlagIn(server());
    // The webhook is disabled between the first attempt and its retry.
    receiver().answer(path, 500);
    const received = expect.poll(() => receiver().received.filter((request) => request.path === path).length).toBe(1);
    await switchFlag(server(), params, 'on');
    await received;
    const off = await server().admin.call('PUT /api/admin/addons/:id', {
      params: { id },
      body: { ...integrationBody, parameters: { url }, events, enabled: false },
    });
    expect(off.status).toBe(200);
    server().clock.advance(5000);
    const types = (await sent()).map(({ body }) => JSON.parse(body).type);
    expect(types).not.toContain('feature-environment-enabled');
  });

  it('that is disabled does not receive events, also not after it is enabled', async () => {
    const { id, sent, url } = await given({ enabled: false, events: ['feature-created'] });
    await givenFlag(server());
    const body = { ...integrationBody, parameters: { url }, events: ['feature-created'] };
    await server().admin.call('PUT /api/admin/addons/:id', { params: { id }, body });
    expect(await sent()).toEqual([]);
    await givenFlag(server());
    expect(await sent()).toHaveLength(1);
  });

  it('receives events of an added type from the change on', async () => {
    const { id, sent, url } = await given({ events: ['feature-environment-enabled'] });
    await givenFlag(server());
    expect(await sent()).toEqual([]);
    const body = { ...integrationBody, parameters: { url }, events };
    expect((await server().admin.call('PUT /api/admin/addons/:id', { params: { id }, body })).status).toBe(200);
    expect(await sent()).toEqual([]);
    const { featureName } = await givenFlag(server());
    expect((await sent()).map(({ body }) => JSON.parse(body).featureName)).toEqual([featureName]);
  });

  it('of an editor receives no events of private projects, and cannot name a hidden project', async () => {
    const secret = await givenProject(server(), { mode: 'private' });
    const { client } = await givenCaller(server(), 'Editor');
    const path = `/${freshName('hook')}`;
    const events = ['feature-created', 'feature-favorited'];
    const body = { ...integrationBody, parameters: { url: receiver().url + path }, events };
    expect((await client.call('POST /api/admin/addons', { body: { ...body, projects: [secret] } })).status).toBe(400);
    expect((await client.call('POST /api/admin/addons', { body })).status).toBe(201);
    const ofAdmin = await given({ events });
    const hidden = await givenFlag(server(), {}, secret);
    // The event of a favorite has no project, but names a flag of the private project.
    const favorite = 'POST /api/admin/projects/:projectId/features/:featureName/favorites';
    expect((await server().admin.call(favorite, { params: hidden })).status).toBe(200);
    await givenFlag(server());
    expect(await ofAdmin.sent()).toHaveLength(3);
    expect(receiver().received.filter((request) => request.path === path)).toHaveLength(1);
  });

  it('does not delay changes', async () => {
    const { path, sent } = await given({ events: ['feature-created'] });
    receiver().answer(path, 0, 0);
    await givenFlag(server());
    // The change is answered before the retry.
    expect(receiver().received.filter((request) => request.path === path).length).toBeLessThan(2);
    expect(await sent()).toHaveLength(1);
  });
});

describe.runIf(engine === 'postgres')('two processes', () => {
  const receiver = useReceiver();

  it('deliver each event once, in order, whichever process recorded it', async () => {
    const storage = await createStorage();
    const more = { ...settings, initAdminTokens: ['*:*.the-same-again'] };
    const pair = [await startServer(storage, more), await startServer(storage, more)] as const;
    await givenIntegration(pair[0], { parameters: { url: receiver().url }, events: ['feature-created'] });
    const names = Array.from({ length: 30 }, (_, n) => `of-two-${n}`);
    for (const [n, name] of names.entries()) await givenFlag(pair[n % 2 === 0 ? 0 : 1], { name });
    await expect.poll(() => receiver().received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(30);
    await Promise.all(pair.map((server) => server.stop()));
    await storage.remove();
    expect(receiver().received.map(({ body }) => JSON.parse(body).featureName)).toEqual(names);
  });

  it('keep a message of an integration that the other process has just enabled', async () => {
    const storage = await createStorage();
    const more = { ...settings, initAdminTokens: ['*:*.the-same-again'] };
    const [first, second] = [await startServer(storage, more), await startServer(storage, more)];
    const path = `/${freshName('hook')}`;
    const body = { ...integrationBody, parameters: { url: receiver().url + path }, events: ['feature-created'] };
    const { id } = await givenIntegration(first, { ...body, enabled: false });
    // The second process knows the integration as disabled, and hears of the change late.
    await expect.poll(() => second.app.database.feed.seen).toBe(first.app.database.feed.seen);
    await second.app.service.deliveries.idle();
    second.app.database.feed.wake = () => undefined;
    expect((await first.admin.call('PUT /api/admin/addons/:id', { params: { id }, body })).status).toBe(200);
    receiver().answer(path, 500);
    await givenFlag(first);
    await first.app.service.deliveries.settled();
    await second.app.service.deliveries.idle();
    const deliveries = await first.admin.call('GET /api/admin/integrations/:id/deliveries', { params: { id } });
    expect(deliveries.json.deliveries).toMatchObject([{ state: 'waiting', status: 500 }]);
    for (const server of [first, second]) await server.stop();
    await storage.remove();
  });
});

describe('an event that was not delivered', () => {
  const receiver = useReceiver();

  it('is delivered by the next process, and delivered events are not repeated', async () => {
    const storage = await createStorage();
    const more = { ...settings, initAdminTokens: ['*:*.the-same-again'] };
    const first = await startServer(storage, more);
    const parameters = { url: `${receiver().url}/kept` };
    await givenIntegration(first, { parameters, events: ['feature-created'] });
    await givenFlag(first, { name: 'told' });
    await first.app.service.deliveries.idle();
    // Stops deliveries, as a crash would.
    await first.app.service.deliveries.stop();
    await givenFlag(first, { name: 'waiting' });
    await first.stop();
    const second: TestServer = await startServer(storage, more);
    await second.app.service.deliveries.idle();
    await second.stop();
    await storage.remove();
    const names = receiver().received.map(({ body }) => JSON.parse(body).featureName);
    expect(names).toEqual(['told', 'waiting']);
  });
});
