import { describe, expect, it } from 'vitest';
import { projectFlags } from '#features/flags/flags/index.ts';
import { givenCaller, givenGroup, givenMember, givenRole, giveRoles } from '#testing/access.ts';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { type TestServer, useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { personalDashboardScenarios } from './personal-dashboard.scenarios.ts';
import { personalDashboardHandlers } from './routes.ts';

const mine = 'GET /api/admin/personal-dashboard';
const ofProject = 'GET /api/admin/personal-dashboard/:projectId';
const create = 'POST /api/admin/projects/:projectId/features';
const like = 'POST /api/admin/projects/:projectId/features/:featureName/favorites';
const [ownerRole, memberRole] = [4, 5];
const limits = { strategies: 10, segments: 10, constraints: 10, constraintValues: 10 };

const namesOf = (some: readonly { name: string }[]) => some.map(({ name }) => name);

describe('personal dashboard routes', () => testScenarios(useServer(), personalDashboardScenarios));

describe('the personal dashboard', () => {
  const server = useServer();

  it('lists the projects of the caller with all their roles, without archived projects', async () => {
    const [own, through, gone] = [
      await givenProject(server()),
      await givenProject(server()),
      await givenProject(server()),
    ];
    await givenProject(server());
    const { id, client } = await givenMember(server(), own, ownerRole);
    const group = await givenGroup(server(), [id]);
    await giveRoles(server(), through, [memberRole], { groups: [group.id] });
    await giveRoles(server(), own, [memberRole], { groups: [group.id] });
    await giveRoles(server(), gone, [memberRole], { users: [id] });
    await server().admin.call('POST /api/admin/projects/archive/:projectId', { params: { projectId: gone } });
    await givenFlag(server(), {}, own);
    const { projects } = (await client.call(mine)).json;
    expect(projects).toHaveLength(2);
    expect(projects).toMatchObject([
      {
        id: own,
        featureCount: 1,
        health: 100,
        memberCount: 1,
        owners: [{ ownerType: 'user' }],
        roles: [
          { id: ownerRole, name: 'Owner', type: 'project' },
          { id: memberRole, name: 'Member', type: 'project' },
        ],
      },
      { id: through, owners: [{ ownerType: 'system' }], roles: [{ id: memberRole }] },
    ]);
  });

  it('lists the flags that the caller created or made a favorite, the newest first', async () => {
    const projectId = await givenProject(server());
    const { client } = await givenMember(server(), projectId, memberRole);
    const { client: other } = await givenMember(server(), projectId, memberRole);
    const createAs = async (who: typeof client, name: string) => {
      server().clock.advance(1000);
      expect((await who.call(create, { params: { projectId }, body: { name } })).status).toBe(201);
    };
    await createAs(client, 'mine');
    await createAs(other, 'liked');
    await createAs(other, 'not-mine');
    await createAs(client, 'both');
    await createAs(client, 'archived');
    const archived = { projectId, featureName: 'archived' };
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: archived });
    for (const featureName of ['liked', 'both']) await client.call(like, { params: { projectId, featureName } });
    await other.call(like, { params: { projectId, featureName: 'mine' } });
    expect((await client.call(mine)).json.flags).toMatchObject([
      { name: 'both', project: projectId, type: 'release', created: true, favorite: true },
      { name: 'liked', created: false, favorite: true },
      { name: 'mine', created: true, favorite: false },
    ]);
    expect(namesOf((await other.call(mine)).json.flags)).toEqual(['not-mine', 'liked', 'mine']);
  });

  it('omits projects and flags that are now hidden from the caller', async () => {
    const projectId = await givenProject(server());
    const { id, client } = await givenMember(server(), projectId, memberRole);
    await client.call(create, { params: { projectId }, body: { name: 'once-seen' } });
    expect(namesOf((await client.call(mine)).json.flags)).toEqual(['once-seen']);
    const settings = 'PUT /api/admin/projects/:projectId/settings';
    await server().admin.call(settings, { params: { projectId }, body: { mode: 'private' } });
    expect((await client.call(ofProject, { params: { projectId } })).json.roles).toMatchObject([{ id: memberRole }]);
    const leave = 'DELETE /api/admin/projects/:projectId/users/:userId/roles';
    await server().admin.call(leave, { params: { projectId, userId: String(id) } });
    expect((await client.call(mine)).json).toMatchObject({ projects: [], flags: [] });
    expect((await client.call(ofProject, { params: { projectId } })).status).toBe(404);
  });

  it('lists all administrators, by own roles and by groups', async () => {
    const direct = await givenUser(server(), 'Admin');
    const plain = await givenUser(server(), 'Editor');
    const member = await givenUser(server());
    await givenGroup(server(), [member.id], { rootRole: 1 });
    const all = { permissions: [{ name: 'ADMIN' }], type: 'root-custom' };
    const custom = await givenUser(server(), (await givenRole(server(), all)).id);
    const machine = await givenCaller(server(), 'Admin');
    const headers = await logIn(server().anonymous, plain);
    const { administrators } = (await server().anonymous.call(mine, { headers })).json;
    const ids: number[] = administrators.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(expect.arrayContaining([direct.id, member.id, custom.id]));
    expect(ids).not.toContain(plain.id);
    expect(ids).not.toContain(machine.id);
    expect(administrators.find(({ id }: { id: number }) => id === direct.id)).toEqual({
      id: direct.id,
      name: 'A person',
      username: direct.username,
      email: `${direct.username}@example.com`,
    });
  });

  it('lists the last 10 events of a project, newest first, and its owners', async () => {
    const projectId = await givenProject(server());
    const { client } = await givenMember(server(), projectId, ownerRole);
    for (let n = 0; n < 11; n++) await givenFlag(server(), { name: `of-eleven-${n}` }, projectId);
    await givenFlag(server());
    const { project, roles, latestEvents } = (await client.call(ofProject, { params: { projectId } })).json;
    expect(latestEvents.map(({ featureName }: { featureName: string }) => featureName)).toEqual(
      Array.from({ length: 10 }, (_, n) => `of-eleven-${10 - n}`),
    );
    expect(latestEvents[0]).not.toHaveProperty('data');
    expect(project).toMatchObject({ id: projectId, featureCount: 11, owners: [{ ownerType: 'user' }] });
    expect(roles).toEqual([{ id: ownerRole, name: 'Owner', type: 'project' }]);
  });
});

describe('the personal dashboard of a user with many projects', () => {
  const server = useServer();

  it('takes as many statements as that of a user with few', async () => {
    const few = await givenDashboardOf(server(), 1);
    const many = await givenDashboardOf(server(), 4);
    const { db, counter } = counted(server().app.database);
    const handlers = personalDashboardHandlers({ db }, server().clock, projectFlags(limits));
    const statements = async (userId: number, route: typeof mine | typeof ofProject, projectId = '') => {
      counter.statements = 0;
      const caller = { actor: { userId }, hidden: new Set() };
      const reply = await handlers[route]({ params: { projectId }, caller } as never);
      return { ...reply, statements: counter.statements };
    };
    const [little, much] = [await statements(few.id, mine), await statements(many.id, mine)];
    expect(little.body).toMatchObject({ projects: { length: 1 }, flags: { length: 1 } });
    expect(much.body).toMatchObject({ projects: { length: 4 }, flags: { length: 4 } });
    expect(much.statements).toBe(little.statements);
    const single = await statements(few.id, ofProject, few.projects[0]);
    await givenFlag(server(), {}, few.projects[0]);
    expect((await statements(few.id, ofProject, few.projects[0])).statements).toBe(single.statements);
  });
});

/** Creates a user with a number of projects and a flag in each. */
async function givenDashboardOf(server: TestServer, count: number) {
  const { id, client } = await givenCaller(server);
  const projects: string[] = [];
  for (let n = 0; n < count; n++) {
    const projectId = await givenProject(server);
    await giveRoles(server, projectId, [memberRole], { users: [id] });
    await client.call(create, { params: { projectId }, body: { name: `flag-of-${projectId}` } });
    projects.push(projectId);
  }
  return { id, projects };
}
