import { describe, expect, it } from 'vitest';
import { givenGroup, givenMember, giveRoles } from '#testing/access.ts';
import { givenProject } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { projectAccessScenarios } from './project-access.scenarios.ts';

describe('project access routes', () => {
  const server = useServer();
  testScenarios(server, projectAccessScenarios);

  it('do not name private projects of a group to members who cannot see these projects', async () => {
    const [projectId, secret] = [await givenProject(server()), await givenProject(server(), { mode: 'private' })];
    const owner = await givenMember(server(), projectId, 4);
    const group = await givenGroup(server());
    for (const project of [projectId, secret]) await giveRoles(server(), project, [5], { groups: [group.id] });
    const read = 'GET /api/admin/projects/:projectId/access';
    const seen = await owner.client.call(read, { params: { projectId } });
    expect(seen.json.groups).toMatchObject([{ id: group.id, projects: [projectId] }]);
    expect(seen.text).not.toContain(secret);
    const all = await server().admin.call(read, { params: { projectId } });
    expect(all.json.groups).toMatchObject([{ projects: [projectId, secret].toSorted() }]);
  });
});
