import { describe, expect, it } from 'vitest';
import { addStrategy, givenEnabled, givenFlag, givenFlagIn } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenSdk } from '../../apps/server/testing/tokens.ts';
import { publishedProviders } from './published-providers.ts';

/** The list of OFREP's `openapi.yaml`. */
const ofrepReasons = ['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED', 'UNKNOWN'];
const route = 'POST /ofrep/v1/evaluate/flags/:key';
const bulk = 'POST /ofrep/v1/evaluate/flags';
const server = useServer();

async function givenOn(strategy: object): Promise<string> {
  const params = await givenFlagIn(server());
  await addStrategy(server(), params, strategy);
  const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  expect((await server().admin.call(on, { params })).status).toBe(200);
  return params.featureName;
}

const variant = (payload?: object) => ({
  name: 'one',
  weight: 1000,
  weightType: 'variable',
  stickiness: 'default',
  ...(payload === undefined ? {} : { payload }),
});
const forAnn = (payload?: object) => ({
  name: 'userWithId',
  parameters: { userIds: 'ann' },
  variants: [variant(payload)],
});

/**
 * A flag by how it is evaluated, with the value for `ann` and for another user; undefined where the default applies.
 */
const flags: Readonly<Record<string, readonly [make: () => Promise<string>, ann: unknown, other: unknown]>> = {
  'that is on': [async () => (await givenEnabled(server())).featureName, true, true],
  'that is off': [async () => (await givenFlag(server())).featureName, false, false],
  'for one user': [() => givenOn({ name: 'userWithId', parameters: { userIds: 'ann' } }), true, false],
  'with a variant without payload': [() => givenOn(forAnn()), true, false],
  'with a variant with text': [() => givenOn(forAnn({ type: 'string', value: 'x' })), 'x', undefined],
  'with a variant with a number': [() => givenOn(forAnn({ type: 'number', value: '4' })), 4, undefined],
  'with a variant with JSON': [() => givenOn(forAnn({ type: 'json', value: '{"a":1}' })), { a: 1 }, undefined],
};

describe.each(publishedProviders)('the published source of $name $version', ({ body, reasons, ...provider }) => {
  it.each(Object.entries(flags))('reads a flag %s', async (_name, [make, forOne, forOther]) => {
    const key = await make();
    const sdk = await givenSdk(server());
    for (const [user, value] of [
      ['ann', forOne],
      ['bob', forOther],
    ] as const) {
      const { status, json } = await sdk.call(route, { params: { key }, body: body(user, { country: 'NO' }) });
      expect(status).toBe(200);
      expect(json.value).toEqual(value);
      for (const field of provider.required) expect(json).toHaveProperty(field, expect.any(String));
      expect(reasons).toContain(json.reason);
      expect(ofrepReasons).toContain(json.reason);
      const all = (await sdk.call(bulk, { body: body(user, { country: 'NO' }) })).json.flags;
      expect(all.find((flag: { readonly key: string }) => flag.key === key)).toEqual(json);
    }
  });

  it('reads the error of a context that is not valid, and of an unknown flag', async () => {
    const sdk = await givenSdk(server());
    const key = await givenOn({ name: 'default' });
    const wrong = await sdk.call(route, { params: { key }, body: body('ann', { currentTime: 'noon' }) });
    const unknown = await sdk.call(route, { params: { key: 'nothing' }, body: body('ann', {}) });
    expect([wrong.status, unknown.status]).toEqual([400, 404]);
    for (const { json } of [wrong, unknown])
      for (const field of provider.requiredOfError) expect(json).toHaveProperty(field, expect.any(String));
  });
});
