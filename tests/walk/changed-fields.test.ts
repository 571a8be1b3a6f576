import { type RouteSpec, routes } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { type Changed, changed, elsewhere, type Put } from './changed-things.ts';

// Each field of a thing is stored and shown, also when it alone changes: what compares the old with the new thing, or
// saves it, must not forget a field.

const server = useServer({ signalEndpointsLimit: 100, actionSetsLimit: 100 });

/** Returns the names of the fields of a body. */
function fieldsOf({ body }: RouteSpec): string[] {
  let schema = body as { def?: { innerType?: typeof schema; in?: typeof schema; shape?: object } } | undefined;
  while (schema?.def?.innerType !== undefined || schema?.def?.in !== undefined)
    schema = schema.def.innerType ?? schema.def.in;
  return Object.keys(schema?.def?.shape ?? {});
}

const puts = (Object.entries(routes) as [Put, RouteSpec][]).filter(([key]) => key.startsWith('PUT '));

it.each(puts)('%s is tested here, or has a reason', (key) => {
  expect(key in changed || elsewhere.some(([route]) => route.test(key))).toBe(true);
});

describe.each(puts.filter(([key]) => key in changed))('%s', (key, spec) => {
  let thing: Changed;
  beforeAll(async () => {
    thing = await (changed[key] as NonNullable<(typeof changed)[Put]>)(server());
  });

  const put = async (body: Readonly<Record<string, unknown>>) => {
    const reply = await server().admin.call(key, { params: thing.params, body });
    expect(`${reply.status} ${reply.status < 300 ? '' : reply.text}`).toMatch(/^20\d $/);
  };
  const expectShown = async (body: Readonly<Record<string, unknown>>) => {
    const reply = await server().admin.call(thing.get, { params: thing.params, query: {} });
    const shown = thing.pick === undefined ? reply.json : thing.pick(reply.json);
    const wanted = Object.entries(body).filter(([field]) => thing.shown?.[field] !== null);
    expect(shown).toMatchObject(Object.fromEntries(wanted));
  };

  it('stores and shows each field, also when it alone changes', async () => {
    expect(Object.keys(thing.fields).sort()).toEqual(fieldsOf(spec).sort());
    const one = Object.fromEntries(Object.entries(thing.fields).map(([field, [value]]) => [field, value]));
    await put(one);
    await expectShown(one);
    for (const [field, [, other]] of Object.entries(thing.fields)) {
      await put({ ...one, [field]: other });
      await expectShown({ ...one, [field]: other });
      await put(one);
    }
    await expectShown(one);
  });
});
