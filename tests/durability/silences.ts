import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { expectSound } from './audit-database.ts';
import { call, callApi, countEvents } from './http-call.ts';
import type { Query, Storage } from './storage.ts';

const project = 'default';
const environment = 'development';
/** The token id in the signals by which the server itself reports a silence. */
const silenceTokenId = -1;
const fastClock = new URL('./fast-clock.fixture.ts', import.meta.url).href;

/** An endpoint that expects a signal every minute, and a flag that an action set holds off while it is silent. */
export interface Expecting {
  readonly endpoint: string;
  readonly endpointId: number;
  readonly signalToken: string;
  readonly setId: number;
  readonly flag: string;
}

/** Returns the settings of servers for which a minute takes `minuteMs`. Timers are not faster. */
export function fastMinutes(minuteMs: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${fileURLToPath(fastClock)}`,
    FAST_CLOCK_START: String(Date.now()),
    FAST_CLOCK_SPEED: String(60_000 / minuteMs),
  };
}

/** Creates endpoints that expect a signal every minute, each with a flag that is on and a set that holds it. */
export async function givenExpecting(origin: string, token: string, count: number): Promise<Expecting[]> {
  const post = <Body>(path: string, body: object) => callApi<Body>(origin, { method: 'POST', path, token }, body);
  const ofProject = `/api/admin/projects/${project}`;
  const robot = { username: 'robot', name: 'robot', rootRole: 'Editor' };
  const { id: actorId } = await post<{ id: number }>('/api/admin/service-account', robot);
  const all: Expecting[] = [];
  for (let n = 0; n < count; n++) {
    const [endpoint, flag] = [`watchdog-${n}`, `watched-${n}`];
    await post(`${ofProject}/features`, { name: flag });
    await post(`${ofProject}/features/${flag}/environments/${environment}/on`, {});
    const expecting = { name: endpoint, expectedMinutes: 1 };
    const { id: endpointId } = await post<{ id: number }>('/api/admin/signal-endpoints', expecting);
    const executionParams = { project, environment, featureName: flag, effect: 'off' };
    const { id: setId } = await post<{ id: number }>(`${ofProject}/actions`, {
      name: endpoint,
      actorId,
      match: { source: 'signal-endpoint', sourceId: endpointId, trigger: 'silence', payload: {}, release: {} },
      actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }],
    });
    const tokens = `/api/admin/signal-endpoints/${endpointId}/tokens`;
    const { token: signalToken } = await post<{ token: string }>(tokens, { name: 'watchdog' });
    all.push({ endpoint, endpointId, signalToken, setId, flag });
  }
  return all;
}

/** Sends a signal to each endpoint. */
export async function hear(origin: string, all: readonly Expecting[]): Promise<void> {
  for (const { endpoint, signalToken } of all) {
    const path = `/api/signal-endpoint/${endpoint}`;
    const { status } = await call(origin, { method: 'POST', path, token: signalToken, body: '{}' });
    expect(status).toBe(200);
  }
}

/** Returns how often the sets have held their flags. */
export function holdsSoFar(origin: string, token: string): Promise<number> {
  return countEvents(origin, token, 'feature-lease-placed');
}

/** Returns how often the sets have released their flags. */
export function releasesSoFar(origin: string, token: string): Promise<number> {
  return countEvents(origin, token, 'feature-lease-released');
}

/**
 * Expects for each endpoint so many silences that ended and one that goes on, each with an event and a run of the set
 * at its beginning and at its end, and with one hold; and expects a sound database.
 */
export async function expectSilencesOnce(
  query: Query,
  engine: Storage['engine'],
  all: readonly Expecting[],
  ended: number,
): Promise<void> {
  const events = await query<StoredEvent>(
    'select type, signal_id, feature_name, data from events where signal_id is not null order by id',
  );
  const signals = await query<{ id: number; endpoint_id: number; payload: string }>(
    `select id, endpoint_id, payload from signals where token_id = ${silenceTokenId} order by id`,
  );
  const runs = await query<{ action_set_id: number; signal_id: number; state: string }>(
    'select action_set_id, signal_id, state from action_runs order by id',
  );
  for (const { endpointId, setId, flag } of all) {
    const own = signals.filter(({ endpoint_id }) => endpoint_id === endpointId);
    const ids = own.map(({ id }) => id);
    const states = own.map(({ payload }) => (JSON.parse(payload) as Payload).silence);
    expect(states.map(({ state }) => state)).toEqual([...times(ended, ['began', 'ended']), 'began']);
    const began = states.filter(({ state }) => state === 'began').map(({ since }) => since);
    expect(new Set(began).size).toBe(ended + 1);
    const told = events.filter(({ type, data }) => isOfSilence(type) && idIn(data) === endpointId);
    const [silent, heard] = ['signal-endpoint-silent', 'signal-endpoint-heard'];
    expect(told.map(({ type }) => type)).toEqual([...times(ended, [silent, heard]), silent]);
    expect(told.map(({ signal_id }) => signal_id)).toEqual(ids);
    const ofSet = runs.filter(({ action_set_id }) => action_set_id === setId);
    expect(ofSet.map(({ signal_id, state }) => ({ signal_id, state }))).toEqual(
      ids.map((signal_id) => ({ signal_id, state: 'success' })),
    );
    const held = events.filter(({ type, feature_name }) => feature_name === flag && type.startsWith('feature-lease-'));
    const [placed, released] = ['feature-lease-placed', 'feature-lease-released'];
    expect(held.map(({ type }) => type)).toEqual([...times(ended, [placed, released]), placed]);
    expect(held.map(({ signal_id }) => signal_id)).toEqual(ids);
  }
  const leases = await query<{ feature_name: string }>('select feature_name from feature_leases');
  expect(leases.map((lease) => lease.feature_name).sort()).toEqual(all.map(({ flag }) => flag).sort());
  await expectSound(query, engine);
}

interface StoredEvent {
  readonly type: string;
  readonly signal_id: number;
  readonly feature_name: string | null;
  readonly data: string | null;
}

interface Payload {
  readonly silence: { readonly state: 'began' | 'ended'; readonly since: string };
}

function isOfSilence(type: string): boolean {
  return type === 'signal-endpoint-silent' || type === 'signal-endpoint-heard';
}

function idIn(data: string | null): number | undefined {
  return (JSON.parse(data ?? '{}') as { id?: number }).id;
}

function times<Item>(count: number, items: readonly Item[]): Item[] {
  return Array.from({ length: count }, () => items).flat();
}
