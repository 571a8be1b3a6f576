import { expect, it } from 'vitest';
import { givenMember, givenRole } from '#testing/access.ts';
import { givenFlag } from '#testing/flags.ts';
import { lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const batch = 'PUT /api/admin/projects/:projectId/features/:featureName/variants-batch';

it('variants of several environments need the permission in each environment, in any order', async () => {
  const params = await givenFlag(server());
  const role = await givenRole(server(), {
    permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', environment: 'development' }],
  });
  const { client } = await givenMember(server(), params.projectId, role.id);
  const change = async (...environments: string[]) => {
    const body = { variants: [{ name: 'blue', weight: 1000 }], environments };
    return (await client.call(batch, { params, body })).status;
  };
  const before = await lastEventId(server());
  expect(await change('development', 'production')).toBe(403);
  expect(await change('production', 'development')).toBe(403);
  expect(await change('production')).toBe(403);
  expect(await lastEventId(server())).toBe(before);
  expect(await change('development')).toBe(200);
});
