import { environmentPermissions, type RouteKey, type RouteSpec, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { givenMember, givenRole } from '../../apps/server/testing/access.ts';
import type { ApiClient } from '../../apps/server/testing/client.ts';
import { type FlagParams, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';

const ofEnvironments: ReadonlySet<string> = new Set(environmentPermissions);

/** Routes about one environment that need only permissions which a role can grant for a single environment. */
const keys = (Object.entries(routes) as [RouteKey, RouteSpec][])
  .filter(
    ([key, { access }]) =>
      key.includes('/:environment') &&
      typeof access === 'object' &&
      [access.permission].flat().every((permission) => ofEnvironments.has(permission)),
  )
  .map(([key]) => key as keyof typeof routes);

describe('permissions in one environment', () => {
  const server = useServer();
  let given: Promise<{ flag: FlagParams; client: ApiClient }> | undefined;
  async function give() {
    const flag = await givenFlag(server(), {}, await givenProject(server()));
    const role = await givenRole(server(), {
      permissions: environmentPermissions.map((name) => ({ name, environment: 'development' })),
    });
    const { client } = await givenMember(server(), flag.projectId, role.id);
    return { flag, client };
  }

  it('are required by several routes', () => {
    expect(keys.length).toBeGreaterThan(8);
  });

  it.each(keys)('%s is allowed in that environment and refused in the other', async (key) => {
    given ??= give();
    const { flag, client } = await given;
    const status = async (environment: string) => (await client.call(key, { params: { ...flag, environment } })).status;
    expect(await status('production')).toBe(403);
    expect(await status('development')).not.toBe(403);
  });
});
