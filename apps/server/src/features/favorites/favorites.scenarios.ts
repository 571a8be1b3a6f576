import { expect } from 'vitest';
import { givenArchived, givenFlag, givenProject } from '../../../testing/flags.ts';
import type { Scenario, Who } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

const flag = '/api/admin/projects/:projectId/features/:featureName' as const;
const project = '/api/admin/projects/:projectId' as const;
const nowhere = { params: { projectId: 'nowhere', featureName: 'nowhere' } };

/** A flag of a project of its own; both are favorites of `who`. */
async function givenFavorites(server: TestServer, who: 'editor' | 'viewer') {
  const params = await givenFlag(server, {}, await givenProject(server));
  const client = server.client(await server.tokenOf(who));
  for (const route of [`POST ${flag}/favorites`, `POST ${project}/favorites`] as const) {
    await client.call(route, { params });
  }
  return { params };
}

/** What a read says of whether its thing is a favorite, to its owner and to another one. */
const seenBy = (route: Scenario['route'], who: Who, isFavorite: boolean): Scenario => ({
  route,
  name: `says to ${who} ${isFavorite ? 'that it is a favorite' : 'that the favorite of another one is none'}`,
  as: who,
  given: (server) => givenFavorites(server, 'viewer'),
  status: 200,
  check: ({ json }) => {
    const shown = json.features ?? [json.projects?.at(-1) ?? json];
    expect(shown.map(({ favorite }: { favorite: boolean }) => favorite)).toEqual([isFavorite]);
  },
});

export const favoriteScenarios: readonly Scenario[] = [
  {
    route: `POST ${flag}/favorites`,
    name: 'makes a flag a favorite of whoever asks',
    as: 'viewer',
    given: async (server) => ({ params: await givenFlag(server) }),
    status: 200,
    events: [
      {
        type: 'feature-favorited',
        project: null,
        featureName: expect.any(String) as unknown as string,
        preData: null,
        data: { feature: expect.any(String) as string },
      },
    ],
  },
  {
    route: `POST ${flag}/favorites`,
    name: 'records nothing of one that is a favorite',
    as: 'viewer',
    given: (server) => givenFavorites(server, 'viewer'),
    status: 200,
  },
  {
    route: `POST ${flag}/favorites`,
    name: 'takes an archived flag, from a token without an account',
    given: async (server) => ({ params: await givenArchived(server) }),
    status: 200,
    events: [{ type: 'feature-favorited' }],
  },
  { route: `POST ${flag}/favorites`, name: 'does not know the flag', call: nowhere, status: 404 },
  {
    route: `DELETE ${flag}/favorites`,
    name: 'makes a favorite none',
    as: 'viewer',
    given: (server) => givenFavorites(server, 'viewer'),
    status: 200,
    events: [{ type: 'feature-unfavorited', project: null, data: { feature: expect.any(String) as string } }],
  },
  {
    route: `DELETE ${flag}/favorites`,
    name: 'leaves favorites of others alone',
    as: 'editor',
    given: (server) => givenFavorites(server, 'viewer'),
    status: 200,
  },
  { route: `DELETE ${flag}/favorites`, name: 'does not know the flag', call: nowhere, status: 404 },
  {
    route: `POST ${project}/favorites`,
    name: 'makes a project a favorite of whoever asks',
    as: 'viewer',
    given: async (server) => ({ params: { projectId: await givenProject(server) } }),
    status: 200,
    events: [{ type: 'project-favorited', preData: null, data: { project: expect.any(String) as string } }],
  },
  { route: `POST ${project}/favorites`, name: 'does not know the project', call: nowhere, status: 404 },
  {
    route: `DELETE ${project}/favorites`,
    name: 'makes a favorite none',
    as: 'editor',
    given: (server) => givenFavorites(server, 'editor'),
    status: 200,
    events: [{ type: 'project-unfavorited', data: { project: expect.any(String) as string } }],
  },
  { route: `DELETE ${project}/favorites`, name: 'does not know the project', call: nowhere, status: 404 },
  ...([`GET ${flag}`, `GET ${project}/features`, `GET ${project}/overview`] as const).flatMap((route) => [
    seenBy(route, 'viewer', true),
    seenBy(route, 'editor', false),
  ]),
];
