import { expect } from 'vitest';
import { call } from './http-call.ts';
import type { Query } from './storage.ts';

const environment = 'development';

/** Flags that are changed by time, with many changes within a few seconds. */
export interface Timed {
  /** Flags that are switched on by scheduled change requests, one for each flag, at different times. */
  readonly scheduled: readonly string[];
  /** Flags that are on, and held off until different times. */
  readonly held: readonly string[];
}

/**
 * Creates `count` flags of each kind, the first due `fromMs` after its request and each of the others at least `stepMs`
 * after the one before.
 */
export async function givenTimed(
  origin: string,
  adminToken: string,
  { count, fromMs, stepMs }: { readonly count: number; readonly fromMs: number; readonly stepMs: number },
): Promise<Timed> {
  const send = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await call(origin, { method, path, token: adminToken, ...json });
    if (typeof answer.status !== 'number' || answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  };
  const project = '/api/admin/projects/default';
  const named = (what: string) => Array.from({ length: count }, (_, n) => `${what}-${n}`);
  const [scheduled, held] = [named('scheduled'), named('held')];
  for (const name of [...scheduled, ...held]) await send('POST', `${project}/features`, { name });
  for (const name of held) await send('POST', `${project}/features/${name}/environments/${environment}/on`, {});
  const requests: number[] = [];
  for (const feature of scheduled) {
    const change = { action: 'updateEnabled', feature, payload: { enabled: true } };
    const { id } = await send<{ id: number }>('POST', `${project}/environments/${environment}/change-requests`, change);
    // A request in review is no longer the draft, so that the next change begins a new request.
    await send('PUT', `${project}/change-requests/${id}/state`, { state: 'In review' });
    requests.push(id);
  }
  // From each request on, because a slow machine may need longer than `fromMs` for all.
  const at = (n: number) => new Date(Date.now() + fromMs + n * stepMs).toISOString();
  for (const [n, id] of requests.entries())
    await send('PUT', `${project}/change-requests/${id}/state`, { state: 'Scheduled', scheduledAt: at(n) });
  for (const [n, name] of held.entries()) {
    const path = `${project}/features/${name}/environments/${environment}/leases`;
    await send('POST', path, { effect: 'off', expiresAt: at(n) });
  }
  return { scheduled, held };
}

/** Returns how many scheduled requests and holds are still waiting for their time. */
export async function stillToCome(origin: string, adminToken: string): Promise<number> {
  const get = async <Body>(path: string): Promise<Body> => {
    const answer = await call(origin, {
      method: 'GET',
      path: `/api/admin/projects/default/${path}`,
      token: adminToken,
    });
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  };
  const { total } = await get<{ total: number }>('leases?limit=1');
  const requests = await get<{ state: string }[]>('change-requests');
  return total + requests.filter(({ state }) => state === 'Scheduled').length;
}

/** Expects that each flag was switched on once by its request, and that each hold expired once. */
export async function expectDoneOnce(query: Query, { scheduled, held }: Timed): Promise<void> {
  const events = await query<{ type: string; feature_name: string | null }>(
    'select type, feature_name from events order by id',
  );
  const flagsOf = (type: string) =>
    events.flatMap((event) => (event.type === type && event.feature_name !== null ? [event.feature_name] : []));
  expect(
    flagsOf('feature-environment-enabled')
      .filter((name) => name.startsWith('scheduled'))
      .sort(),
  ).toEqual([...scheduled].sort());
  expect(events.filter(({ type }) => type === 'change-request-scheduled-application-success')).toHaveLength(
    scheduled.length,
  );
  expect(flagsOf('feature-lease-expired').sort()).toEqual([...held].sort());
  expect(await query('select id from feature_leases')).toEqual([]);
  const states = await query<{ enabled: number; lease_id: number | null }>(
    `select enabled, lease_id from feature_environments where environment = '${environment}'`,
  );
  expect(states.map(({ enabled, lease_id }) => [Number(enabled), lease_id])).toEqual(states.map(() => [1, null]));
}
