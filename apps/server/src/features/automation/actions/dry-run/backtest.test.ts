import { describe, expect, it } from 'vitest';
import { givenActionPlace, setBody } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { useServer } from '#testing/server.ts';
import { send, type TestEndpoint } from '#testing/signals.ts';

const server = useServer({ signalEndpointsLimit: 1000 });
const route = 'POST /api/admin/projects/:projectId/actions/backtest';
/** More signals than a backtest reads at once. */
const many = 60;

async function sendAll(endpoint: TestEndpoint, payloads: readonly object[]): Promise<number[]> {
  const ids: number[] = [];
  for (const payload of payloads) {
    const { status, json } = await send(server(), endpoint, JSON.stringify(payload));
    expect(status).toBe(200);
    ids.push(json.signals[0].id);
  }
  return ids;
}

describe('a backtest', () => {
  it('reads each signal once, and on past many that the set skips, to one that it would have run for', async () => {
    const place = await givenAlertPlace(server());
    const firing = { alerts: [{ status: 'firing', fingerprint: 'a' }] };
    const withoutArray = Array.from({ length: many }, (_, n) => ({ n }));
    const [signalId] = await sendAll(place.endpoint, [firing, ...withoutArray]);
    const set = holdingAlerts(place);
    const body = { set: { ...set, match: { ...set.match, payload: {}, release: null } }, days: 1 };
    const { status, json } = await server().admin.call(route, { params: { projectId: place.projectId }, body });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      signals: many + 1,
      runs: 1,
      truncated: false,
      matches: [{ signalId, element: 0, actions: [{ action: 'HOLD_FEATURE', problem: null }] }],
    });
  });

  it('returns the newest runs first, over several reads', async () => {
    const place = await givenActionPlace(server());
    const ids = await sendAll(
      place.endpoint,
      Array.from({ length: many }, (_, n) => ({ n })),
    );
    const body = { set: setBody(place), days: 1 };
    const { json } = await server().admin.call(route, { params: { projectId: place.projectId }, body });
    expect(json).toMatchObject({ signals: many, runs: many, truncated: false });
    expect(json.matches.map((match: { signalId: number }) => match.signalId)).toEqual(ids.toReversed());
  });
});
