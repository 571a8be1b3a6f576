import { describe, expect, it } from 'vitest';
import { giveRoles } from '#testing/access.ts';
import { givenPlace, givenSent, readRequest, switchingOn } from '#testing/change-requests.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const memberRole = 5;
const ownerRole = 4;

/** Logs in a new user with a role in a project. Returns the headers, and a function that changes the e-mail address. */
async function givenPerson(server: TestServer, projectId: string, role: number) {
  const user = await givenUser(server);
  await giveRoles(server, projectId, [role], { users: [user.id] });
  const setEmail = async (email: string) => {
    const reply = await server.admin.call('PUT /api/admin/user-admin/:id', {
      params: { id: user.id },
      body: { email },
    });
    expect(reply.status, reply.text).toBe(200);
  };
  return { id: user.id, headers: await logIn(server.anonymous, user), setEmail };
}

describe('an account whose e-mail address has changed', () => {
  const server = useServer();

  it('keeps its draft: it is listed, counted and continued', async () => {
    const { params } = await givenPlace(server());
    const { headers, setEmail } = await givenPerson(server(), params.projectId, memberRole);
    const request = async () => {
      const route = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests';
      return (await server().anonymous.call(route, { params, headers, body: switchingOn(params) })).json.id;
    };
    const id = await request();
    await setEmail('new-address@example.com');
    expect(await request()).toBe(id);
    const inProject = 'GET /api/admin/projects/:projectId/change-requests' as const;
    const listed = await server().anonymous.call(inProject, { params, headers });
    expect(listed.json).toMatchObject([{ id, state: 'Draft' }]);
    const actionable = await server().anonymous.call(`${inProject}/actionable`, { params, headers });
    expect(actionable.json).toEqual({ total: 1 });
    const flag = 'GET /api/admin/projects/:projectId/features/:featureName' as const;
    const { environments } = (await server().anonymous.call(flag, { params, headers })).json;
    expect(environments).toContainEqual(expect.objectContaining({ name: params.environment, changeRequestIds: [id] }));
    expect((await server().admin.call(flag, { params })).json.environments[0].changeRequestIds).toEqual([]);
  });

  it('has one review of a change request: its rejection replaces its approval', async () => {
    const { at } = await givenSent(server(), 2);
    const reviewer = await givenPerson(server(), at.projectId, ownerRole);
    const setState = async (state: string) => {
      const route = 'PUT /api/admin/projects/:projectId/change-requests/:id/state';
      const { headers } = reviewer;
      const reply = await server().anonymous.call(route, { params: at, headers, body: { state } });
      expect(reply.status, reply.text).toBe(200);
    };
    await setState('Approved');
    await reviewer.setEmail('another-address@example.com');
    await setState('Rejected');
    const { approvals, rejections } = await readRequest(server(), at.projectId, at.id);
    expect(approvals).toEqual([]);
    expect(rejections).toMatchObject([{ createdBy: { id: reviewer.id } }]);
  });
});
