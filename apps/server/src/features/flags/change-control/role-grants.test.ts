import { describe, expect, it } from 'vitest';
import { givenGroup, givenRole, giveRoles } from '#testing/access.ts';
import { givenReview, requestChanges, setRequestState, switchingOn } from '#testing/change-requests.ts';
import type { ApiClient } from '#testing/client.ts';
import { type FlagEnvironmentParams, freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const [memberRole, ownerRole] = [5, 4];
const later = '2099-01-01T00:00:00.000Z';

interface Person {
  readonly id: number;
  readonly client: ApiClient;
}

async function person(server: TestServer, rootRole: string): Promise<Person> {
  const user = await givenUser(server, rootRole);
  const headers = await logIn(server.anonymous, user);
  const body = { description: 'test', expiresAt: later };
  const { json } = await server.anonymous.call('POST /api/admin/user/tokens', { headers, body });
  return { id: user.id, client: server.client(json.secret) };
}

async function serviceAccountOf(server: TestServer, by: ApiClient): Promise<ApiClient> {
  const body = { username: freshName('robot'), name: 'x', rootRole: 'Admin' };
  const { json } = await by.call('POST /api/admin/service-account', { body });
  const token = await by.call('POST /api/admin/service-account/:id/token', {
    params: { id: json.id },
    body: { description: 'test', expiresAt: later },
  });
  return server.client(token.json.secret);
}

async function expectAccepted(reply: Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
  const { status, text } = await reply;
  expect([200, 201, 204], text).toContain(status);
}

/** Prepares a way to the right to approve, and returns the change that gives it. */
type Way = (server: TestServer, projectId: string, userId: number) => Promise<(by: ApiClient) => Promise<void>>;

const giveProjectRole: Way = async (_server, projectId, id) => (by) => {
  const body = { roles: [ownerRole], users: [id], groups: [] };
  return expectAccepted(by.call('POST /api/admin/projects/:projectId/access', { params: { projectId }, body }));
};

const ways: Readonly<Record<string, Way>> = {
  'a root role': async (_server, _projectId, id) => (by) =>
    expectAccepted(by.call('PUT /api/admin/user-admin/:id', { params: { id }, body: { rootRole: 'Admin' } })),
  'a project role': giveProjectRole,
  'the membership of a group': async (server, projectId, id) => {
    const { id: groupId, name } = await givenGroup(server);
    await giveRoles(server, projectId, [ownerRole], { groups: [groupId] });
    const body = { name, users: [{ user: { id } }] };
    return (by) => expectAccepted(by.call('PUT /api/admin/groups/:groupId', { params: { groupId }, body }));
  },
  'a permission in a role': async (server, projectId, id) => {
    const role = await givenRole(server);
    await giveRoles(server, projectId, [role.id, memberRole], { users: [id] });
    const permissions = [{ name: 'APPROVE_CHANGE_REQUEST', environment: 'production' }];
    const body = { name: role.name, permissions };
    return (by) => expectAccepted(by.call('PUT /api/admin/roles/:roleId', { params: { roleId: role.id }, body }));
  },
};

describe('the right to approve, given where review is binding', () => {
  const server = useServer({ bindingReview: true });

  const given = async (way: Way) => {
    const projectId = await givenProject(server());
    const params: FlagEnvironmentParams = {
      ...(await givenFlag(server(), {}, projectId)),
      environment: 'production',
    };
    await givenReview(server(), projectId, 'production');
    const [author, approver] = [await person(server(), 'Admin'), await person(server(), 'Viewer')];
    const grant = await way(server(), projectId, approver.id);
    const request = async () => {
      const { id } = await requestChanges(author.client, params, switchingOn(params));
      await setRequestState(author.client, projectId, id, 'In review');
      server().clock.advance(1000);
      return id as number;
    };
    const approve = async (id: number) => {
      const route = 'PUT /api/admin/projects/:projectId/change-requests/:id/state' as const;
      const call = { params: { projectId, id }, body: { state: 'Approved' } };
      const { status, text } = await approver.client.call(route, call);
      return `${status} ${text}`;
    };
    const waits = async (id: number) => {
      const rows = (await approver.client.call('GET /api/admin/now')).json.waitingForMe;
      return rows.some((row: { readonly id: number }) => row.id === id);
    };
    return { author, grant, request, approve, waits };
  };

  it.each(Object.entries(ways))('by %s from the author after the request, does not count', async (_name, way) => {
    const { author, grant, request, approve, waits } = await given(way);
    const id = await request();
    await grant(author.client);
    expect(await waits(id)).toBe(false);
    expect(await approve(id)).toMatch(/^403 .*gave .* the right to approve after the request/);
  });

  it.each(Object.entries(ways))('by %s from a service account of the author, does not count', async (_name, way) => {
    const { author, grant, request, approve } = await given(way);
    const robot = await serviceAccountOf(server(), author.client);
    const id = await request();
    await grant(robot);
    expect(await approve(id)).toMatch(/^403 .*gave .* the right to approve after the request/);
  });

  it.each(Object.entries(ways))('by %s from another person after the request, counts', async (_name, way) => {
    const { grant, request, approve, waits } = await given(way);
    const id = await request();
    await grant((await person(server(), 'Admin')).client);
    expect(await waits(id)).toBe(true);
    expect(await approve(id)).toMatch(/^200 /);
  });

  it.each(Object.entries(ways))('by %s from the author before the request, counts', async (_name, way) => {
    const { author, grant, request, approve } = await given(way);
    await grant(author.client);
    server().clock.advance(1000);
    expect(await approve(await request())).toMatch(/^200 /);
  });

  it('counts when the author gives the same role again', async () => {
    const { author, grant, request, approve } = await given(giveProjectRole);
    await grant(author.client);
    server().clock.advance(1000);
    const id = await request();
    await grant(author.client);
    expect(await approve(id)).toMatch(/^200 /);
  });
});
