import { handledRoutes, type RouteKey, type RouteSpec, type Routes, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { printed } from '../../apps/server/testing/json-schema.ts';
import { faultsOf } from '../../apps/server/testing/mutation.ts';
import { withoutChanging } from '../../apps/server/testing/refusal.ts';
import { clientOf, eventsAfter, lastEventId } from '../../apps/server/testing/scenario.ts';
import { firstOf, loadScenarios, useServerForScenarios } from './scenarios.ts';

// Breaks each field of a request that would succeed: leaves it out, sends another type, a text or a number out of
// bounds, U+0000. The snapshots name what each route refuses, and why, so scenarios need not repeat it.

type Key = RouteKey & keyof Routes;

/** Longer values are refused for their length, before their fields are looked at. */
const longest = 10_000;

const scenarios = await loadScenarios();
const table = (Object.keys(handledRoutes) as Key[])
  .map((key) => [key, routes[key] as RouteSpec] as const)
  // The query of a stream is a token.
  .filter(([, { access, body, query }]) => access !== 'stream' && (body ?? query) !== undefined);

/** Returns a query as a URL can hold it. */
function inUrl(query: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]));
}

describe('a field that the contract does not allow', () => {
  const server = useServerForScenarios();

  it.each(table)('is refused by %s', async (key, spec) => {
    const scenario = firstOf(scenarios, key);
    const call = { ...scenario.call, ...(await scenario.given?.(server())) };
    const client = await clientOf(server(), scenario.as ?? 'admin');
    const before = await lastEventId(server());
    const refusals = new Set<string>();
    const sent = new Set<string>();
    for (const part of ['query', 'body'] as const) {
      const schema = spec[part];
      if (schema === undefined || (part === 'body' && call.body === undefined)) continue;
      for (const fault of faultsOf(printed(schema), call[part] ?? {})) {
        const value = part === 'query' ? inUrl(fault()) : fault();
        const { success, error } = schema.safeParse(value);
        // One value of another type is enough for each field.
        const issues = JSON.stringify(
          error?.issues.map(({ path, message }) => [path, message.split(', received ')[0]]),
        );
        if (success || sent.has(issues) || JSON.stringify(value).length > longest) continue;
        sent.add(issues);
        const reply = await client.call(key, { ...call, [part]: value });
        expect(reply.status, reply.text).toBe(400);
        for (const { message } of reply.json.details) refusals.add(withoutChanging(message).slice(0, 200));
      }
    }
    // A round of background work may record others.
    const recorded = (await eventsAfter(server(), before)).filter(({ type }) => spec.emits.includes(type));
    expect(recorded).toEqual([]);
    expect([...refusals].sort()).toMatchSnapshot();
  });
});
