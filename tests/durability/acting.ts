import { expect } from 'vitest';
import { type Answer, call } from './http-call.ts';
import type { Query } from './storage.ts';
import { until } from './until.ts';

/** An endpoint whose signals turn a flag on or off, by two sets of actions. */
export interface Acting {
  readonly adminToken: string;
  readonly endpoint: string;
  readonly endpointId: number;
  readonly signalToken: string;
  readonly featureName: string;
}

/** Creates an endpoint, a service account, a flag, and the sets. */
export async function givenActing(origin: string, adminToken: string): Promise<Acting> {
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
  const featureName = 'switched';
  await make('/api/admin/projects/default/features', { name: featureName });
  for (const state of ['on', 'off']) {
    await make('/api/admin/projects/default/actions', {
      name: state,
      actorId,
      match: {
        source: 'signal-endpoint',
        sourceId: endpointId,
        payload: { state: { operator: 'IN', values: [state] } },
      },
      actions: [
        {
          action: `TOGGLE_FEATURE_${state.toUpperCase()}`,
          sortOrder: 1,
          executionParams: { project: 'default', environment: 'development', featureName },
        },
      ],
    });
  }
  return { adminToken, endpoint, endpointId, signalToken: token, featureName };
}

/** Sends a signal that turns the flag on or off. */
export function sendState(origin: string, { endpoint, signalToken }: Acting, state: 'on' | 'off'): Promise<Answer> {
  const body = JSON.stringify({ state });
  return call(origin, { method: 'POST', path: `/api/signal-endpoint/${endpoint}`, token: signalToken, body });
}

/** Resolves when the signals of the endpoint have all been handled, by what the runs of the sets tell. */
export async function untilHandled(origin: string, acting: Acting, timeoutMs: number): Promise<void> {
  const newest = async (path: string) =>
    (await call(origin, { method: 'GET', path, token: acting.adminToken })).body as Record<string, { id: number }[]>;
  await until('every signal to be handled', timeoutMs, async () => {
    const { signalEndpointSignals } = await newest(`/api/admin/signal-endpoints/${acting.endpointId}/signals?limit=1`);
    const last = signalEndpointSignals?.[0]?.id ?? 0;
    return hasRunOf(origin, acting.adminToken, last);
  });
}

/** Whether a run tells of the signal, or of a later one. */
async function hasRunOf(origin: string, token: string, signalId: number): Promise<boolean> {
  const runs = await Promise.all(
    [1, 2].map(async (id) => {
      const path = `/api/admin/projects/default/actions/${id}/events?limit=1`;
      const { body } = await call(origin, { method: 'GET', path, token });
      return (body as { actionSetEvents?: { signalId: number }[] }).actionSetEvents?.[0]?.signalId ?? 0;
    }),
  );
  return Math.max(...runs) >= signalId;
}

interface StoredRun {
  readonly id: number;
  readonly signal_id: number;
  readonly state: string;
  readonly action_set: string;
}

/** Expects that each stored signal was handled exactly once, in its turn, and that the flag is as the last one said. */
export async function expectHandledOnce(
  query: Query,
  acting: Acting,
  acknowledged: readonly number[],
): Promise<number> {
  const signals = await query<{ id: number; payload: string }>('select id, payload from signals order by id');
  const runs = await query<StoredRun>('select id, signal_id, state, action_set from action_runs order by id');
  const events = await query<{ run_id: number; signal_id: number; type: string }>(
    'select run_id, signal_id, type from events where run_id is not null order by id',
  );
  const stored = new Set(signals.map(({ id }) => Number(id)));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  // Once each, and in the order in which they came.
  expect(runs.map((run) => Number(run.signal_id))).toEqual(signals.map(({ id }) => Number(id)));
  expect(runs.filter(({ state }) => state !== 'success')).toEqual([]);
  const told = runs.flatMap((run) => {
    const { actions } = JSON.parse(run.action_set) as { actions: { changes: { type: string }[] }[] };
    return actions.flatMap(({ changes }) => changes.map(({ type }) => `${run.id} ${run.signal_id} ${type}`));
  });
  expect(events.map((event) => `${event.run_id} ${event.signal_id} ${event.type}`)).toEqual(told);
  const [flag] = await query<{ enabled: number }>(
    `select enabled from feature_environments where feature_name = '${acting.featureName}' and environment = 'development'`,
  );
  expect(Number(flag?.enabled)).toBe(signals.at(-1)?.payload.includes('on') ? 1 : 0);
  return signals.length;
}
