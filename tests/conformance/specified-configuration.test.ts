import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import files from '@unleash/client-specification/specifications/index.json' with { type: 'json' };
import type { ClientDocument } from '@yardarm/evaluation';
import { expect, it } from 'vitest';
import type { Reply } from '../../apps/server/testing/client.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { refused } from '../../docs/compatibility/specification.ts';

const require = createRequire(import.meta.url);
type Feature = ClientDocument['features'][number];

const features = files.flatMap((file): readonly Feature[] => {
  const path = require.resolve(`@unleash/client-specification/specifications/${file}`);
  return JSON.parse(readFileSync(path, 'utf8')).state.features ?? [];
});

const server = useServer();
const flags = '/api/admin/projects/default/features';
const post = (path: string, body: object): Promise<Reply> => server().admin.request('POST', path, { body });

/** Creates the flag with all its strategies; returns the refusals. Flags of several suites have the same name. */
async function create({ name, strategies = [] }: Feature): Promise<Reply[]> {
  const named = await post(flags, { name });
  if (named.status === 400) return [named];
  const replies: Reply[] = [];
  for (const { name: type, parameters, constraints, variants } of strategies ?? []) {
    replies.push(
      await post(`${flags}/${encodeURIComponent(name)}/environments/development/strategies`, {
        name: type,
        parameters,
        constraints,
        // The specification's variants have no stickiness.
        variants: variants?.map((variant) => ({ stickiness: 'default', ...variant, weightType: 'variable' })),
      }),
    );
  }
  return replies.filter(({ status }) => status !== 200);
}

it('the admin API accepts all flags of the client specification except those in docs/compatibility.md', async () => {
  const refusals: { name: string; status: number }[] = [];
  for (const feature of features) {
    for (const { status } of await create(feature)) refusals.push({ name: feature.name, status });
  }
  const expected = refused.flatMap((rule) => rule.flags.map((name) => ({ name, status: 400 })));
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  expect(refusals.toSorted(byName)).toEqual(expected.toSorted(byName));
}, 60_000);
