import { randomInt } from 'node:crypto';
import { type Answer, call } from './http-call.ts';
import { until } from './until.ts';

/** The payload of a signal. Each signal runs one action set. */
export type Said =
  | { readonly state: 'on' | 'off' | 'call' }
  /** The signal holds a flag under the key, or releases the hold with this key. */
  | { readonly state: 'hold' | 'release'; readonly key: string };

/** An endpoint whose signals turn a flag on or off, hold another one and release it, and call a URL. */
export interface Acting {
  readonly adminToken: string;
  readonly endpoint: string;
  readonly endpointId: number;
  readonly signalToken: string;
  readonly switched: string;
  readonly held: string;
  readonly setIds: readonly number[];
  /** The id of the set that calls the URL. */
  readonly callingSetId: number;
}

const project = 'default';
const environment = 'development';
const keys = ['a', 'b', 'c', 'd'] as const;

/** Creates the endpoint, a service account, two flags, and an action set for each kind of payload. */
export async function givenActing(origin: string, adminToken: string, url: string): Promise<Acting> {
  const make = async <Body>(path: string, body: object): Promise<Body> => {
    const answer = await call(origin, { method: 'POST', path, token: adminToken, body: JSON.stringify(body) });
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  };
  const endpoint = 'acting';
  const { id: endpointId } = await make<{ id: number }>('/api/admin/signal-endpoints', { name: endpoint });
  const path = `/api/admin/signal-endpoints/${endpointId}/tokens`;
  const { token } = await make<{ token: string }>(path, { name: 'load' });
  const robot = { username: 'robot', name: 'robot', rootRole: 'Editor' };
  const { id: actorId } = await make<{ id: number }>('/api/admin/service-account', robot);
  const [switched, held] = ['switched', 'held'];
  for (const name of [switched, held]) await make(`/api/admin/projects/${project}/features`, { name });
  await make(`/api/admin/projects/${project}/features/${held}/environments/${environment}/on`, {});
  const where = (featureName: string) => ({ environment, featureName });
  const kinds: Readonly<Record<Said['state'], readonly [string, object]>> = {
    on: ['TOGGLE_FEATURE_ON', where(switched)],
    off: ['TOGGLE_FEATURE_OFF', where(switched)],
    hold: ['HOLD_FEATURE', { ...where(held), effect: 'off', key: '{{key}}' }],
    release: ['RELEASE_FEATURE', { ...where(held), key: '{{key}}' }],
    call: ['CALL_URL', { method: 'POST', url }],
  };
  const setIds: number[] = [];
  for (const [state, [action, params]] of Object.entries(kinds)) {
    const payload = { state: { operator: 'IN', values: [state] } };
    const { id } = await make<{ id: number }>(`/api/admin/projects/${project}/actions`, {
      name: state,
      actorId,
      match: { source: 'signal-endpoint', sourceId: endpointId, payload },
      actions: [{ action, sortOrder: 1, executionParams: { project, ...params } }],
    });
    setIds.push(id);
  }
  const callingSetId = setIds.at(-1) ?? 0;
  return { adminToken, endpoint, endpointId, signalToken: token, switched, held, setIds, callingSetId };
}

/** Returns a random payload. */
export function anything(): Said {
  const state = (['on', 'off', 'hold', 'release', 'hold', 'release', 'call'] as const)[randomInt(7)] ?? 'on';
  return state === 'hold' || state === 'release' ? { state, key: keys[randomInt(keys.length)] ?? 'a' } : { state };
}

/** Sends a signal. */
export function say(origin: string, { endpoint, signalToken }: Acting, said: Said): Promise<Answer> {
  const path = `/api/signal-endpoint/${endpoint}`;
  return call(origin, { method: 'POST', path, token: signalToken, body: JSON.stringify(said) });
}

/**
 * Releases all holds of the flag after all earlier signals were handled. Returns the keys of the holds and the ids of
 * the releasing signals.
 */
export async function releaseAll(origin: string, acting: Acting) {
  const held = await heldUnder(origin, acting);
  const releasing: number[] = [];
  for (const key of keys) {
    const { status, body } = await say(origin, acting, { state: 'release', key });
    if (status !== 200) throw new Error(`a signal was answered ${status}`);
    releasing.push((body as { signals: { id: number }[] }).signals[0]?.id ?? 0);
  }
  await untilHandled(origin, acting, 10_000);
  return { held, releasing };
}

/** Returns the keys under which the flag is held now. */
async function heldUnder(origin: string, { adminToken }: Acting): Promise<string[]> {
  const path = `/api/admin/projects/${project}/leases`;
  const { leases } = await get<{ leases: { heldBy: { key: string } }[] }>(origin, adminToken, path);
  return leases.map(({ heldBy }) => heldBy.key).sort();
}

/** Resolves when all signals of the endpoint have been handled and the calls of all runs have ended. */
export async function untilHandled(origin: string, acting: Acting, timeoutMs: number): Promise<void> {
  const { adminToken, endpointId, setIds, callingSetId } = acting;
  const runs = async (setId: number, limit: number) => {
    const path = `/api/admin/projects/${project}/actions/${setId}/events?limit=${limit}`;
    type Runs = { actionSetEvents: { signalId: number; state: string }[] };
    return (await get<Runs>(origin, adminToken, path)).actionSetEvents;
  };
  await until('every signal to be handled', timeoutMs, async () => {
    const path = `/api/admin/signal-endpoints/${endpointId}/signals?limit=1`;
    type Signals = { signalEndpointSignals: { id: number }[] };
    const [last] = (await get<Signals>(origin, adminToken, path)).signalEndpointSignals;
    const newest = await Promise.all(setIds.map(async (id) => (await runs(id, 1))[0]?.signalId ?? 0));
    return Math.max(...newest) >= (last?.id ?? 0);
  });
  const called = async () => (await runs(callingSetId, 1000)).every(({ state }) => state !== 'started');
  await until('all calls to be made', timeoutMs, called, 100);
}

async function get<Body>(origin: string, token: string, path: string): Promise<Body> {
  const { status, body } = await call(origin, { method: 'GET', path, token });
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
  return body as Body;
}
