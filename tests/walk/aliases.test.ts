import { aliases, type RouteKey, type RouteSpec, type Routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../apps/server/testing/refusal.ts';
import { runScenario } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { loadScenarios } from './scenarios.ts';

// An alias answers as its route does: it passes the scenarios of the route, and refuses what the route refuses.

type Key = keyof Routes & RouteKey;

const scenarios = await loadScenarios();
const parameters = (key: string) => key.match(/:\w+/g);

describe.each(Object.entries(aliases) as [Key, RouteSpec][])('the alias %s', (alias, spec) => {
  const server = useServer();
  const route = spec.aliasOf as Key;

  it('names its parameters as the route does', () => {
    expect(parameters(alias)).toEqual(parameters(route));
  });

  it.each(scenarios.filter((scenario) => scenario.route === route && scenario.status < 400))('$name', (scenario) =>
    runScenario(server(), { ...scenario, route: alias }),
  );

  it('refuses what the route refuses', async () => {
    for (const client of [server().admin, server().anonymous]) {
      const answers = [await client.call(alias), await client.call(route)];
      const refused = answers.filter(({ status }) => status >= 400).map(refusalOf);
      expect(new Set(refused).size).toBe(spec.access === 'public' ? 0 : 1);
    }
  });

  it('is marked in the metrics and, as deprecated, in the description of the routes', async () => {
    await server().admin.call(alias);
    const [method, path] = alias.split(' ') as [string, string];
    const { text } = await server().anonymous.call('GET /metrics');
    const counted = text
      .match(/^http_request_duration_seconds_count\{.*\}/gm)
      ?.filter((line) => line.includes('alias='));
    expect(counted).toContainEqual(expect.stringContaining(`{method="${method}",route="${path}",`));
    const { paths } = (await server().anonymous.call('GET /docs/openapi.json')).json;
    const description = (key: string) => {
      const [, pattern = ''] = key.split(' ');
      return paths[pattern.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    };
    expect(description(alias)).toMatchObject({ deprecated: true });
    expect(description(route)).not.toHaveProperty('deprecated');
  });
});
