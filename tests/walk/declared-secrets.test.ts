import { type RouteKey, type RouteSpec, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { type JsonSchema, printed } from '../../apps/server/testing/json-schema.ts';
import { runScenario } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { loadScenarios } from './scenarios.ts';

// A browser or a proxy must not store an answer that contains a secret. The names of its fields tell whether it does.

const table = Object.entries(routes) as [RouteKey & keyof typeof routes, RouteSpec][];
const scenarios = await loadScenarios();

/** Fields that hold a secret, or a link with one in it. */
const secretField = /^(secret|token|inviteLink|resetPasswordUrl|password|apiKey|clientSecret)$/i;

/** Returns the names of the fields in an answer that hold text, at any depth. */
function textFields(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Readonly<Record<string, JsonSchema>> };
  const own = Object.entries(properties).filter(([, property]) => /"string"/.test(JSON.stringify(property)));
  return [...own.map(([name]) => name), ...Object.values(schema).flatMap(textFields)];
}

function answersSecret(spec: RouteSpec): boolean {
  return Object.values(spec.answers).some(
    (payload) => 'schema' in payload && textFields(printed(payload.schema)).some((name) => secretField.test(name)),
  );
}

const secretive = table.filter(([, spec]) => answersSecret(spec) || spec.secrets === true);

describe('an answer with a secret', () => {
  const server = useServer();

  it('is declared as secret', () => {
    expect(secretive.map(([key]) => key)).toEqual(
      expect.arrayContaining(['POST /api/admin/api-tokens', 'POST /api/admin/user-admin/reset-password']),
    );
    expect(secretive.length).toBeGreaterThanOrEqual(19);
    expect(secretive.filter(([, { secrets }]) => secrets !== true).map(([key]) => key)).toEqual([]);
  });

  it.each(secretive)('%s forbids caching', async (key) => {
    const good = scenarios.find((scenario) => scenario.route === key && scenario.status < 300);
    if (good === undefined) throw new Error(`${key} has no scenario that succeeds`);
    await runScenario(server(), {
      ...good,
      check: ({ headers }) => expect(headers.get('cache-control')).toMatch(/^no-store\b/),
    });
  });
});
