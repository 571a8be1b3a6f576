import { expect } from 'vitest';
import { ApiClient, type Reply } from '../../apps/server/testing/client.ts';
import type { Serving } from './installed-program.ts';

/**
 * Walks through a new installation: health, the page, login, a flag that an SDK sees, an alert that holds it off until
 * it is resolved, and a large import.
 */
export async function takeFirstSteps({ url, password }: Serving): Promise<void> {
  const anyone = new ApiClient(url);
  expect((await anyone.call('GET /health')).json).toEqual({ health: 'GOOD' });
  await expectUserInterface(url);
  const credentials = { username: 'admin', password };
  const login = expectOk(await anyone.call('POST /auth/simple/login', { body: credentials }));
  const admin = new ApiClient(url);
  const headers = { cookie: (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '' };
  const call = async (...[route, options]: Parameters<ApiClient['call']>) =>
    expectOk(await admin.call(route, { ...options, headers }));

  const projectId = 'default';
  const features = 'POST /api/admin/projects/:projectId/features';
  await call(features, { params: { projectId }, body: { name: 'new-checkout' } });
  const place = { projectId, featureName: 'new-checkout', environment: 'development' };
  await call(`${features}/:featureName/environments/:environment/on`, { params: place });
  const wanted = { tokenName: 'shop', type: 'backend', environment: 'development' };
  const { secret } = (await call('POST /api/admin/api-tokens', { body: wanted })).json;
  const sdk = new ApiClient(url, secret);
  const isOn = async () => expectOk(await sdk.call('GET /api/client/features')).json.features[0].enabled;
  expect(await isOn()).toBe(true);

  const { id } = (await call('POST /api/admin/signal-endpoints', { body: { name: 'alerts' } })).json;
  const tokens = 'POST /api/admin/signal-endpoints/:signalEndpointId/tokens';
  const { token } = (await call(tokens, { params: { signalEndpointId: id }, body: { name: 'sender' } })).json;
  const account = { username: 'autopilot', name: 'Autopilot', rootRole: 2 };
  const { id: actorId } = (await call('POST /api/admin/service-account', { body: account })).json;
  const actions = 'POST /api/admin/projects/:projectId/actions';
  await call(actions, { params: { projectId }, body: holdWhileFiring(id, actorId, place) });
  const sender = new ApiClient(url, token);
  for (const [status, on] of [
    ['firing', false],
    ['resolved', true],
  ] as const) {
    const body = { status, fingerprint: 'f1' };
    const send = async () =>
      (await sender.call('POST /api/signal-endpoint/:name', { params: { name: 'alerts' }, body })).status;
    // A token may send one signal a second; a sender tries again.
    await expect.poll(send, within).toBe(200);
    await expect.poll(isOn, within).toBe(on);
  }
  expect((await call('GET /api/admin/signals')).json.signals).toHaveLength(2);

  // A body above the ordinary limit, which the server parses in a thread of its own.
  const data = {
    features: Array.from({ length: 5000 }, (_, n) => ({ name: `flag-${n}`, description: 'x'.repeat(200) })),
  };
  await call('POST /api/admin/features-batch/validate', {
    body: { project: projectId, environment: 'development', data },
  });
}

const within = { timeout: 10_000 };

interface Place {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
}

/** Returns an action set that holds a flag off while an alert fires. */
function holdWhileFiring(sourceId: number, actorId: number, { projectId, ...flag }: Place) {
  const status = (value: string) => ({ status: { operator: 'IN', values: [value] } });
  return {
    name: 'Hold off',
    actorId,
    match: { source: 'signal-endpoint', sourceId, payload: status('firing'), release: status('resolved') },
    actions: [
      { action: 'HOLD_FEATURE', sortOrder: 1, executionParams: { project: projectId, ...flag, effect: 'off' } },
    ],
  };
}

/** Logs in to the demo and finds its flags. */
export async function lookAround({ url, password }: Serving): Promise<void> {
  const anyone = new ApiClient(url);
  const credentials = { username: 'ada', password };
  const login = expectOk(await anyone.call('POST /auth/simple/login', { body: credentials }));
  const headers = { cookie: (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '' };
  const search = await anyone.call('GET /api/admin/search/features', { query: { limit: '1' }, headers });
  expect(expectOk(search).json.total).toBe(60);
}

async function expectUserInterface(url: string): Promise<void> {
  const page = await (await fetch(url)).text();
  const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1];
  const answer = await fetch(`${url}/${script}`, { headers: { 'accept-encoding': 'br' } });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(await answer.text()).toContain('import');
}

function expectOk(reply: Reply): Reply {
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply;
}
