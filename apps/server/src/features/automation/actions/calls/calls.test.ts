import { describe, expect, it } from 'vitest';
import {
  type ActionPlace,
  calling,
  type GivenSet,
  givenActionPlace,
  givenSet,
  isOn,
  runsOf,
  setBody,
  signal,
  turning,
} from '#testing/actions.ts';
import { freshName } from '#testing/flags.ts';
import { useReceiver } from '#testing/receiver.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';

const limits = { signalEndpointsLimit: 1000, actionSetsLimit: 1000 };
const server = useServer({ ...limits, allowPrivateIntegrationUrls: true });
const receiver = useReceiver();
const list = 'GET /api/admin/projects/:projectId/actions';
const update = 'PUT /api/admin/projects/:projectId/actions/:id';
const secret = 'Bearer of-a-secret';

/**
 * Creates a set that calls a path which no other test uses; returns a function that reads the requests to this path.
 */
async function given(params: object = {}, more: object = {}) {
  const place = await givenActionPlace(server());
  const path = `/${freshName('call')}`;
  const actions = [calling(place, `${receiver().url}${path}`, params)];
  const set = await givenSet(server(), { actions, ...more }, place);
  return { place, path, set, sent: () => receiver().received.filter((request) => request.path.startsWith(path)) };
}

/** Advances the clock and waits for calls that are due then. */
async function after(ms: number) {
  server().clock.advance(ms);
  await server().app.service.deliveries.idle();
}

const lastRun = async (set: GivenSet) => (await runsOf(server(), set))[0];
const callOf = async (set: GivenSet) => (await lastRun(set)).actionSet.actions[0].call;

describe('an action that calls a URL', () => {
  it('sends values of the payload, escaped for their place, with an idempotency key', async () => {
    const { place, set, path, sent } = await given({
      headers: JSON.stringify({ Authorization: secret, 'X-Of': '{{by}}' }),
      body: '{"text": "{{text}}", "n": 1}',
    });
    const url = `${receiver().url}${path}/{{text}}?of={{by}}`;
    const { actions } = setBody(place, { actions: [calling(place, url, { body: '{"text": "{{text}}"}' })] });
    await givenSet(server(), { actions }, place);
    const text = '../a?b#c/"},\n{{by}}';
    const signalId = await signal(server(), place, { text, by: 'us & them' });
    const { id: runId } = await lastRun(set);
    const [first, second] = sent().toSorted((a, b) => a.path.length - b.path.length);
    expect(sent()).toHaveLength(2);
    expect(first).toMatchObject({
      method: 'POST',
      path,
      headers: {
        authorization: secret,
        'x-of': 'us & them',
        'content-type': 'application/json',
        'yardarm-run-id': String(runId),
        'idempotency-key': expect.stringMatching(new RegExp(`^run-${runId}-`)),
      },
    });
    expect(JSON.parse(first?.body ?? '')).toEqual({ text, n: 1 });
    expect(second?.path).toBe(`${path}/${encodeURIComponent(text)}?of=us%20%26%20them`);
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
    expect(await lastRun(set)).toMatchObject({
      signalId,
      state: 'success',
      actionSet: {
        actions: [
          {
            state: 'success',
            details: `POST ${receiver().url}${path} was called. The receiver answered 200.`,
            call: { state: 'delivered', attempts: 1, status: 200, nextAttemptAt: null, settledAt: expect.any(String) },
          },
        ],
      },
    });
  });

  it.each(['.', '..'])('fails when the payload makes a path segment %s', async (text) => {
    const place = await givenActionPlace(server());
    const path = `/${freshName('call')}`;
    const actions = [calling(place, `${receiver().url}${path}/{{text}}/delete`)];
    const set = await givenSet(server(), { actions }, place);
    await signal(server(), place, { text });
    expect(await lastRun(set)).toMatchObject({ state: 'failed', actionSet: { actions: [{ call: null }] } });
    expect(receiver().received.filter((request) => request.path.includes('delete'))).toEqual([]);
  });

  it.each([
    ['line\r\nX-Evil: yes', 'headers are not valid'],
    [undefined, 'no text at by'],
  ])('fails when a header gets %j, and calls nothing', async (by, why) => {
    const { set, sent } = await given({ headers: '{"X-Of": "{{by}}"}' });
    await signal(server(), set, { by });
    const [{ details }] = (await lastRun(set)).actionSet.actions;
    expect(details).toContain(why);
    expect(sent()).toEqual([]);
  });

  it('is retried with the same key until the receiver accepts it, and the run shows the progress', async () => {
    const { set, path, sent } = await given();
    receiver().answer(path, 503, 0, 204);
    await signal(server(), set);
    expect(await lastRun(set)).toMatchObject({ state: 'started', actionSet: { actions: [{ state: 'started' }] } });
    expect(await callOf(set)).toMatchObject({ state: 'queued', attempts: 1, status: 503 });
    await after(5000);
    expect(await callOf(set)).toMatchObject({ state: 'queued', attempts: 2, status: null });
    await after(11_000);
    expect(sent()).toHaveLength(2);
    await after(4000);
    expect(await callOf(set)).toMatchObject({ state: 'delivered', attempts: 3, status: 204 });
    expect(await lastRun(set)).toMatchObject({ state: 'success' });
    expect(new Set(sent().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('is retried with growing delays for a day, then fails, and the run with it', async () => {
    const { set, path, sent } = await given();
    receiver().answer(path, ...Array.from({ length: 60 }, () => 500));
    await signal(server(), set);
    for (let minutes = 0; minutes < 10; minutes++) await after(60_000);
    expect([5, 6]).toContain(sent().length);
    for (let hours = 0; hours < 22; hours++) await after(3_600_000);
    expect(await lastRun(set)).toMatchObject({ state: 'started' });
    for (let hours = 0; hours < 3; hours++) await after(3_600_000);
    expect(await lastRun(set)).toMatchObject({ state: 'failed', actionSet: { actions: [{ state: 'failed' }] } });
    expect(await callOf(set)).toMatchObject({ state: 'failed', nextAttemptAt: null });
    const attempts = sent().length;
    await after(25 * 3_600_000);
    expect(sent()).toHaveLength(attempts);
  });

  it('ends the run when all its calls have ended, and fails it with any of them', async () => {
    const place = await givenActionPlace(server());
    const paths = [freshName('call'), freshName('call')] as const;
    const actions = paths.map((path, n) => ({ ...calling(place, `${receiver().url}/${path}`), sortOrder: n + 1 }));
    const set = await givenSet(server(), { actions }, place);
    receiver().answer(`/${paths[0]}`, 500);
    receiver().answer(`/${paths[1]}`, 200, 400);
    const signalId = await signal(server(), set);
    expect(await lastRun(set)).toMatchObject({
      state: 'started',
      actionSet: { actions: [{ state: 'started' }, { state: 'success' }] },
    });
    await after(5000);
    const query = { signal: `IS:${signalId}` };
    const listed = await server().admin.call('GET /api/admin/action-runs', { query });
    expect(listed.json.runs).toMatchObject([{ state: 'success' }]);
    await signal(server(), set);
    expect(await lastRun(set)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('400'),
      actionSet: { actions: [{ state: 'success' }, { state: 'failed' }] },
    });
  });

  it.each([404, 302])('is not retried when the receiver answers %i, and follows no redirect', async (status) => {
    const { set, path, sent } = await given();
    receiver().answer(path, status);
    await signal(server(), set);
    await after(600_000);
    expect(sent()).toHaveLength(1);
    expect(await callOf(set)).toMatchObject({ state: 'failed', attempts: 1, status });
    expect(receiver().received.map((request) => request.path)).not.toContain('/elsewhere');
  });

  it('calls nothing in shadow mode, a dry run or a backtest, and shows what it would call', async () => {
    const { place, set, path, sent } = await given(
      { body: '{"of": "{{by}}"}', headers: `{"A": "${secret}"}` },
      { shadow: true },
    );
    await signal(server(), set, { by: 'us' });
    const would = { method: 'POST', url: `${receiver().url}${path}`, body: '{"of": "us"}', state: 'not sent' };
    expect(await lastRun(set)).toMatchObject({ state: 'success', shadow: true });
    expect(await callOf(set)).toMatchObject(would);
    const [saved] = (await server().admin.call(list, { params: { projectId: place.projectId } })).json.actions;
    const draft = setBody(place, { actions: saved.actions });
    const params = { projectId: place.projectId };
    const dryRun = await server().admin.call('POST /api/admin/projects/:projectId/actions/rehearse', {
      params,
      body: { set: draft, payload: { by: 'us' } },
    });
    expect(dryRun.json.views[0].actions).toMatchObject([
      { state: 'success', details: `POST ${would.url} would be called.`, call: would },
    ]);
    const looked = await server().admin.call('POST /api/admin/projects/:projectId/actions/backtest', {
      params,
      body: {
        set: { ...draft, actions: [calling(place, `${would.url}/{{by}}`, { headers: `{"A": "${secret}"}` })] },
        days: 1,
      },
    });
    expect(looked.json.matches[0].actions[0].executionParams).toMatchObject({
      url: `${would.url}/us`,
      headers: '*****',
    });
    await after(600_000);
    expect(sent()).toEqual([]);
  });

  it('is rolled back with a run that a guard stops', async () => {
    const { set, sent } = await given({}, { guards: { cooldownSeconds: 60 } });
    await signal(server(), set);
    await signal(server(), set);
    expect(await lastRun(set)).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/^Cool-down: the set called POST/),
    });
    await after(59_999);
    await signal(server(), set);
    expect(sent()).toHaveLength(1);
    await after(1);
    await signal(server(), set);
    expect(sent()).toHaveLength(2);
  });

  it('waits while automation is frozen, and is not sent after more than a day', async () => {
    const { set, path, sent } = await given();
    receiver().answer(path, 500, 500, 500);
    await signal(server(), set);
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    await freeze(true);
    await after(60_000);
    expect(sent()).toHaveLength(1);
    await freeze(false);
    await after(0);
    expect(sent()).toHaveLength(2);
    await freeze(true);
    await after(25 * 3_600_000);
    await freeze(false);
    await after(0);
    expect(sent()).toHaveLength(2);
    expect(await callOf(set)).toMatchObject({ state: 'failed', details: expect.stringContaining('expired') });
  });

  it('is sent after the changes of the other actions, and is not undone by taking the run back', async () => {
    const place = await givenActionPlace(server());
    const path = `/${freshName('call')}`;
    const on = turning('ON', place.projectId, place.flag.featureName, 1);
    const actions = [on, { ...calling(place, receiver().url + path), sortOrder: 2 }];
    const set = await givenSet(server(), { actions }, place);
    await signal(server(), set);
    const { id: runId } = await lastRun(set);
    const params = { projectId: place.projectId, actionSetId: set.id, runId };
    const route = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back';
    expect((await server().admin.call(route, { params })).json).toMatchObject({
      state: 'success',
      trigger: 'take-back',
    });
    expect(await isOn(server(), place.flag)).toBe(false);
    await after(600_000);
    expect(receiver().received.filter((request) => request.path === path)).toHaveLength(1);
  });
});

describe('secret headers', () => {
  it('appear in no answer, event or log line, and are kept when a set is saved with the mask', async () => {
    const { place, set, sent } = await given({
      headers: JSON.stringify({ Authorization: secret }),
      body: '{"key": "of-a-body"}',
    });
    const params = { projectId: place.projectId, id: set.id };
    const shown = (await server().admin.call(list, { params })).json.actions[0];
    expect(shown.actions[0].executionParams).toMatchObject({ headers: '*****', body: '{"key": "of-a-body"}' });
    const renamed = setBody(place, { actions: shown.actions });
    expect((await server().admin.call(update, { params, body: renamed })).status).toBe(200);
    const byPlace = shown.actions.map(({ action, sortOrder, executionParams }: ReturnType<typeof calling>) => ({
      action,
      sortOrder,
      executionParams,
    }));
    expect((await server().admin.call(update, { params, body: setBody(place, { actions: byPlace }) })).status).toBe(
      200,
    );
    await signal(server(), set);
    expect(sent()[0]?.headers['authorization']).toBe(secret);
    const elsewhere = calling(place, 'https://8.8.8.8/', { headers: '*****' });
    const refused = await server().admin.call(update, { params, body: setBody(place, { actions: [elsewhere] }) });
    expect(refused).toMatchObject({ status: 400, json: { details: [{ path: 'actions.0.executionParams.headers' }] } });
    const runs = await runsOf(server(), set);
    const events = (await server().admin.call('GET /api/admin/events', { query: { limit: 500 } })).json.events;
    expect(JSON.stringify([shown, runs, events, server().logged])).not.toContain('of-a-secret');
    expect(JSON.stringify([events, server().logged])).not.toContain('of-a-body');
    expect(
      events.find(({ type }: { type: string }) => type === 'actions-created').data.actions[0].executionParams,
    ).toEqual({
      project: place.projectId,
      method: 'POST',
      url: `${receiver().url}/…`,
      headers: '*****',
      body: '*****',
    });
  });

  it('stay with their actions when the actions are reordered', async () => {
    const place = await givenActionPlace(server());
    const paths = [freshName('call'), freshName('call')] as const;
    const to = (path: string, headers: string) => calling(place, `${receiver().url}/${path}`, { headers });
    const first = { ...to(paths[0], '{"A": "one"}'), sortOrder: 1 };
    const second = { ...to(paths[1], '{"A": "two"}'), sortOrder: 2 };
    const set = await givenSet(server(), { actions: [first, second] }, place);
    const swapped = [
      { ...to(paths[1], '*****'), sortOrder: 1 },
      { ...to(paths[0], '*****'), sortOrder: 2 },
    ];
    const params = { projectId: place.projectId, id: set.id };
    const reply = await server().admin.call(update, { params, body: setBody(place, { actions: swapped }) });
    expect(reply.status).toBe(200);
    await signal(server(), set);
    const came = new Map(receiver().received.map(({ path, headers }) => [path, headers['a']]));
    expect(paths.map((path) => came.get(`/${path}`))).toEqual(['one', 'two']);
  });

  it('that change are recorded as a change of the set, without their values', async () => {
    const { place, set } = await given({ headers: '{"A": "one"}' }, { name: 'kept' });
    const [saved] = (await server().admin.call(list, { params: { projectId: place.projectId } })).json.actions;
    const [action] = saved.actions;
    const params = { projectId: place.projectId, id: set.id };
    const changes = async (headers: string) => {
      const actions = [{ ...action, executionParams: { ...action.executionParams, headers } }];
      await server().admin.call(update, { params, body: setBody(place, { name: 'kept', actions }) });
      const { events } = (await server().admin.call('GET /api/admin/events', { query: { limit: 500 } })).json;
      return events.filter(
        (event: { type: string; project: string }) =>
          event.type === 'actions-updated' && event.project === place.projectId,
      ).length;
    };
    expect(await changes('*****')).toBe(0);
    expect(await changes('{"A": "two"}')).toBe(1);
  });
});

describe('a host with a private address', () => {
  const closed = useServer({ ...limits, allowedIntegrationHosts: ['127.0.0.1'] });

  it('is called when its name is allowed', async () => {
    const place = await givenActionPlace(closed());
    const path = `/${freshName('call')}`;
    await givenSet(closed(), { actions: [calling(place, receiver().url + path)] }, place);
    await signal(closed(), place);
    expect(receiver().received.filter((request) => request.path === path)).toHaveLength(1);
  });

  it('is refused at the call even when it was allowed when the set was saved', async () => {
    const storage = await createStorage();
    const same = { ...limits, initAdminTokens: ['*:*.the-same-again'] };
    const open = await startServer(storage, { ...same, allowPrivateIntegrationUrls: true });
    const place: ActionPlace = await givenActionPlace(open);
    const path = `/${freshName('call')}`;
    const set = await givenSet(open, { actions: [calling(place, receiver().url + path)] }, place);
    await open.stop();
    const second = await startServer(storage, same);
    await signal(second, place);
    const [run] = await runsOf(second, set);
    await second.stop();
    await storage.remove();
    expect(run.actionSet.actions[0]).toMatchObject({
      state: 'failed',
      call: { attempts: 1, status: null, details: 'The host has a private address, which is not allowed.' },
    });
    expect(receiver().received.filter((request) => request.path === path)).toEqual([]);
  });
});

describe('a call that was queued and not sent', () => {
  it('is sent by the next process with the same key', async () => {
    const storage = await createStorage();
    const same = { ...limits, allowPrivateIntegrationUrls: true, initAdminTokens: ['*:*.the-same-again'] };
    const first = await startServer(storage, same);
    const place = await givenActionPlace(first);
    const path = `/${freshName('call')}`;
    receiver().answer(path, 500);
    const set = await givenSet(first, { actions: [calling(place, receiver().url + path)] }, place);
    await signal(first, place);
    await first.stop();
    const second = await startServer(storage, same, first.clock);
    second.clock.advance(5000);
    await second.app.service.deliveries.idle();
    const [run] = await runsOf(second, set);
    await second.stop();
    await storage.remove();
    expect(run).toMatchObject({ state: 'success' });
    const keys = receiver()
      .received.filter((request) => request.path === path)
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });
});
