import { describe, expect, it } from 'vitest';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { favoriteScenarios } from './favorites.scenarios.ts';

const server = useServer();

describe('routes of favorites', () => testScenarios(server, favoriteScenarios));

describe('favorites', () => {
  it('are deleted with their account, flag or project', async () => {
    const { admin, anonymous, app } = server();
    const user = await givenUser(server());
    const headers = await logIn(anonymous, user);
    const projectId = await givenProject(server());
    const gone = await givenFlag(server(), {}, projectId);
    const stays = await givenFlag(server());
    const routes = [
      'POST /api/admin/projects/:projectId/favorites',
      'POST /api/admin/projects/:projectId/features/:featureName/favorites',
    ] as const;
    for (const params of [gone, stays]) {
      for (const route of routes) expect((await anonymous.call(route, { params, headers })).status).toBe(200);
    }
    const left = async () => [
      ...(await app.database.db.selectFrom('favorite_features').selectAll().where('user_id', '=', user.id).execute()),
      ...(await app.database.db.selectFrom('favorite_projects').selectAll().where('user_id', '=', user.id).execute()),
    ];
    expect(await left()).toHaveLength(4);
    await admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: gone });
    await admin.call('DELETE /api/admin/projects/:projectId', { params: gone });
    expect(await left()).toHaveLength(2);
    await admin.call('DELETE /api/admin/user-admin/:id', { params: { id: user.id } });
    expect(await left()).toEqual([]);
  });

  it('are shown in the list of projects', async () => {
    const [first, second] = [await givenProject(server()), await givenProject(server())];
    await server().admin.call('POST /api/admin/projects/:projectId/favorites', { params: { projectId: first } });
    const { json } = await server().admin.call('GET /api/admin/projects');
    const shown = new Map(json.projects.map(({ id, favorite }: { id: string; favorite: boolean }) => [id, favorite]));
    expect([shown.get(first), shown.get(second)]).toEqual([true, false]);
  });
});
