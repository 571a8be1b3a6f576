import { expect } from 'vitest';
import { givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import type { Scenario, Who } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const flag = '/api/admin/projects/:projectId/features/:featureName' as const;
const project = '/api/admin/projects/:projectId' as const;

/** Creates a project with a flag; both are favorites of `who`. */
async function givenFavorites(server: TestServer, who: 'editor' | 'viewer') {
  const params = await givenFlag(server, {}, await givenProject(server));
  const client = server.client(await server.tokenOf(who));
  for (const route of [`POST ${flag}/favorites`, `POST ${project}/favorites`] as const) {
    await client.call(route, { params });
  }
  return { params };
}

/** Checks the `favorite` field of an answer to the owner of the favorite or to another user. */
const seenBy = (route: Scenario['route'], who: Who, isFavorite: boolean): Scenario => ({
  route,
  name: `answers favorite: ${isFavorite} to ${who} for the favorite of a viewer`,
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
    name: "adds a flag to the caller's favorites",
    as: 'viewer',
    given: async (server) => ({ params: await givenFlag(server) }),
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
    name: 'accepts an archived flag, from a token without an account',
    given: async (server) => ({ params: await givenArchived(server) }),
    events: [{ type: 'feature-favorited' }],
  },
  {
    route: `DELETE ${flag}/favorites`,
    name: "removes from the caller's favorites",
    as: 'viewer',
    given: (server) => givenFavorites(server, 'viewer'),
    events: [{ type: 'feature-unfavorited', project: null, data: { feature: expect.any(String) as string } }],
  },
  {
    route: `DELETE ${flag}/favorites`,
    name: 'does not change the favorites of other users',
    as: 'editor',
    given: (server) => givenFavorites(server, 'viewer'),
  },
  {
    route: `POST ${project}/favorites`,
    name: "adds a project to the caller's favorites",
    as: 'viewer',
    given: async (server) => ({ params: { projectId: await givenProject(server) } }),
    events: [{ type: 'project-favorited', preData: null, data: { project: expect.any(String) as string } }],
  },
  {
    route: `DELETE ${project}/favorites`,
    name: "removes from the caller's favorites",
    as: 'editor',
    given: (server) => givenFavorites(server, 'editor'),
    events: [{ type: 'project-unfavorited', data: { project: expect.any(String) as string } }],
  },
  ...([`GET ${flag}`, `GET ${project}/features`, `GET ${project}/overview`] as const).flatMap((route) => [
    seenBy(route, 'viewer', true),
    seenBy(route, 'editor', false),
  ]),
];
