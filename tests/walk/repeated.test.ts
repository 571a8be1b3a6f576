import { handledRoutes, type RouteKey, type RouteSpec, type Routes, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../apps/server/testing/client.ts';
import { clientOf, eventsAfter, lastEventId, type Scenario } from '../../apps/server/testing/scenario.ts';
import type { TestServer } from '../../apps/server/testing/server.ts';
import { firstOf, loadScenarios, useServerForScenarios } from './scenarios.ts';

// A request is sent three times, and again after it was undone. The snapshot names status and events of each step, so a
// step that forgets what an earlier one did shows as another line.

type Key = RouteKey & keyof Routes;

const scenarios = await loadScenarios();
/** Routes whose settings hold for the whole server, and may keep the other requests from working. */
const forAll = /auth\/\w+\/settings|maintenance|legal-hold|admin\/automation$/;
const writing = (Object.keys(handledRoutes) as Key[])
  .filter((key) => !key.startsWith('GET '))
  .sort((one, other) => Number(forAll.test(one)) - Number(forAll.test(other)));

/** Sends a request. Returns its status and the types of the events that it recorded. */
async function send(server: TestServer, key: Key, call: Call, as: Scenario['as'] = 'admin'): Promise<string> {
  const client = await clientOf(server, as);
  const before = await lastEventId(server);
  const { status } = await client.call(key, call);
  // A round of background work may record others.
  const { emits } = routes[key] as RouteSpec;
  const types = (await eventsAfter(server, before)).map(({ type }) => type).filter((type) => emits.includes(type));
  return [status, ...new Set(types)].join(' ');
}

describe('repeated', () => {
  const server = useServerForScenarios();

  it.each(writing)('%s', async (key) => {
    const scenario = firstOf(scenarios, key);
    const call = { ...scenario.call, ...(await scenario.given?.(server())) };
    const first = await send(server(), key, call, scenario.as);
    expect(first).toMatch(new RegExp(`^${scenario.status}\\b`));
    const second = await send(server(), key, call, scenario.as);
    const third = await send(server(), key, call, scenario.as);
    expect([first, second, third]).toMatchSnapshot();
  });
});

/** The ends of the paths of requests that undo each other. */
const opposites = [
  ['on', 'off'],
  ['pause', 'resume'],
  ['archive', 'revive'],
  ['deprecate', 'reactivate'],
  ['complete', 'uncomplete'],
] as const;

/** Returns the route that undoes another one: its opposite, or the DELETE of what a POST or PUT without an id makes. */
function undoOf(key: Key): Key | undefined {
  const [, path = ''] = key.split(' ');
  for (const pair of opposites) {
    for (const [from, to] of [pair, pair.toReversed()]) {
      const other = path.replace(new RegExp(`/${from}(?=/|$)`), `/${to}`);
      if (other !== path && `POST ${other}` in routes) return `POST ${other}` as Key;
    }
  }
  const undo = `DELETE ${path}`;
  const isMade = !/:\w*(?:id|token)$/i.test(path) && !key.startsWith('PATCH');
  return isMade && undo !== key && undo in routes ? (undo as Key) : undefined;
}

const undone = writing.flatMap((key) => {
  const undo = undoOf(key);
  return undo === undefined ? [] : [[key, undo] as const];
});

describe('undone and done again', () => {
  const server = useServerForScenarios();

  it.each(undone)('%s, %s', async (key, undo) => {
    const scenario = firstOf(scenarios, key);
    const call = { ...scenario.call, ...(await scenario.given?.(server())) };
    const undoing = { ...firstOf(scenarios, undo).call, ...(await firstOf(scenarios, undo).given?.(server())) };
    const body = undo.startsWith('DELETE ') ? undefined : (call.body ?? undoing.body);
    const lines: string[] = [];
    for (let i = 0; i < 3; i++) {
      lines.push(await send(server(), key, call, scenario.as));
      lines.push(await send(server(), undo, { ...call, body }, scenario.as));
    }
    expect(lines).toMatchSnapshot();
  });
});
