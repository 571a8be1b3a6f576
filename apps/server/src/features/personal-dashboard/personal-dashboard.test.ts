import { describe, expect, it } from 'vitest';
import { givenMember } from '../../../testing/access.ts';
import { givenFlag, givenProject } from '../../../testing/flags.ts';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { personalDashboardScenarios } from './scenarios.ts';

const mine = 'GET /api/admin/personal-dashboard';
const ofProject = 'GET /api/admin/personal-dashboard/:projectId';

describe('personal dashboard routes', () => {
  const server = useServer();
  for (const scenario of personalDashboardScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});

describe('the dashboard of a member', () => {
  const server = useServer();

  it('has the projects they have a role in, with that role, and their own flags and favorites', async () => {
    const projectId = await givenProject(server(), { mode: 'private' });
    const other = await givenProject(server(), { mode: 'private' });
    const member = await givenMember(server(), projectId, 4);
    const params = await givenFlag(server(), {}, projectId);
    await givenFlag(server(), {}, projectId);
    const favorites = 'POST /api/admin/projects/:projectId/features/:featureName/favorites';
    await member.client.call(favorites, { params });
    const { json } = await member.client.call(mine);
    expect(json.projects).toMatchObject([{ id: projectId, memberCount: 1 }]);
    expect(json.flags).toMatchObject([{ name: params.featureName }]);
    expect(json.projectOwners).toMatchObject([{ ownerType: 'user' }]);
    const { json: details } = await member.client.call(ofProject, { params: { projectId } });
    expect(details.roles).toMatchObject([{ id: 4, name: 'Owner' }]);
    expect((await member.client.call(ofProject, { params: { projectId: other } })).status).toBe(404);
  });
});
