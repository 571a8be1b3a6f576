import { environmentPermissions, type Permission, type RouteKey, type RouteSpec, routes } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenRole, giveRoles } from '../../apps/server/testing/access.ts';
import { givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';

// A role can grant the permissions of one environment. Every route that needs such a permission and names an
// environment in its path must refuse its holder in another environment.

type Key = keyof typeof routes;

const neededBy = ({ access }: RouteSpec): readonly Permission[] =>
  typeof access === 'object' ? [access.permission].flat() : [];
const inEnvironments = (Object.entries(routes) as [Key & RouteKey, RouteSpec][])
  .filter(([key, spec]) => {
    const needed = neededBy(spec);
    return key.includes('/:environment') && needed.some((name) => environmentPermissions.includes(name));
  })
  .map(([key, spec]): [Key, readonly Permission[]] => [key, neededBy(spec)]);

describe('the permissions of development alone', () => {
  const server = useServer();
  let caller: Caller;
  let flag: { readonly projectId: string; readonly featureName: string };
  beforeAll(async () => {
    const projectId = await givenProject(server());
    flag = await givenFlag(server(), {}, projectId);
    const permissions = environmentPermissions.map((name) => ({ name, environment: 'development' }));
    const { id } = await givenRole(server(), { permissions });
    caller = await givenCaller(server());
    await giveRoles(server(), projectId, [id], { users: [caller.id] });
  });

  it('belong to more than a few routes', () => expect(inEnvironments.length).toBeGreaterThan(20));

  it.each(inEnvironments)('let call %s there, and not in production', async (key, needed) => {
    const call = async (environment: string) => {
      const body = key.startsWith('GET ') || key.startsWith('DELETE ') ? {} : { body: {} };
      const { status, json } = await caller.client.call(key, { params: { ...flag, environment }, ...body });
      return { status, permissions: json?.permissions ?? [] };
    };
    const elsewhere = await call('production');
    expect(elsewhere.status).toBe(403);
    expect(needed).toEqual(expect.arrayContaining(elsewhere.permissions));
    expect((await call('development')).status).not.toBe(403);
  });
});
