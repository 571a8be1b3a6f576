import { type RouteKey, type RouteSpec, type Routes, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';

const table = Object.entries(routes) as [keyof Routes & RouteKey, RouteSpec][];
const parametersOf = ({ query }: RouteSpec) => Object.keys(query?.shape ?? {});
/** Every query parameter of the contract. */
const known = [...new Set(table.flatMap(([, spec]) => parametersOf(spec)))];
const reading = table.filter(([key]) => key.startsWith('GET /api/admin/'));

describe('a query parameter', () => {
  const server = useServer();
  const ask = (key: keyof Routes, query: Record<string, string>) =>
    server().admin.call(key, { query, params: { projectId: 'default' } });

  it.each(reading)('of other routes is refused with its name by %s', async (key, spec) => {
    const own = parametersOf(spec);
    for (const name of known.filter((other) => !own.includes(other))) {
      const reply = await ask(key, { [name]: '1' });
      expect([reply.status, reply.json.details], name).toEqual([
        400,
        [{ path: name, message: `${name}: is not a parameter of this route` }],
      ]);
      expectProblem(reply);
    }
  });

  it.each(reading)('of no route is ignored and named by %s', async (key) => {
    const reply = await ask(key, { 'söme thing': '1', 'x[]': '2' });
    expect(reply.headers.get('x-unknown-parameters')).toBe('s%C3%B6me%20thing, x%5B%5D');
    expect(reply.status).toBe((await ask(key, {})).status);
  });

  it('of other routes is refused before anything changes', async () => {
    const reply = await server().admin.request('POST', '/api/admin/tag-types?project=x', {
      body: { name: 'refused', description: '' },
    });
    expect(reply.status).toBe(400);
    const { json } = await server().admin.call('GET /api/admin/tag-types');
    expect(json.tagTypes.map(({ name }: { name: string }) => name)).not.toContain('refused');
  });

  it('of SDKs is not looked at', async () => {
    const reply = await server().anonymous.request('GET', '/health?project=x&y=1');
    expect([reply.status, reply.headers.get('x-unknown-parameters')]).toEqual([200, null]);
  });
});
