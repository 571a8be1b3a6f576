import type { ApiClient } from './client.ts';
import { freshName } from './flags.ts';
import type { TestServer } from './server.ts';

const later = '2099-01-01T00:00:00.000Z';

/** Creates a project role. The role grants nothing unless `more` has permissions. */
export async function givenRole(server: TestServer, more: object = {}): Promise<{ id: number; name: string }> {
  const name = freshName('role');
  const reply = await server.admin.call('POST /api/admin/roles', { body: { name, ...more } });
  return accepted(reply, 200).roles;
}

/** Creates a group of these users. */
export async function givenGroup(
  server: TestServer,
  userIds: readonly number[] = [],
  more: object = {},
): Promise<{ id: number; name: string }> {
  const name = freshName('group');
  const users = userIds.map((id) => ({ user: { id } }));
  return accepted(await server.admin.call('POST /api/admin/groups', { body: { name, users, ...more } }), 201);
}

/** An account with a token, and a client that uses it. */
export interface Caller {
  readonly id: number;
  readonly name: string;
  readonly client: ApiClient;
  readonly token: string;
}

/** Creates a service account with a token. */
export async function givenCaller(server: TestServer, rootRole: number | string = 'Viewer'): Promise<Caller> {
  const username = freshName('caller');
  const body = { username, name: username, rootRole };
  const { id } = accepted(await server.admin.call('POST /api/admin/service-account', { body }), 201);
  const created = await server.admin.call('POST /api/admin/service-account/:id/token', {
    params: { id },
    body: { description: 'test', expiresAt: later },
  });
  const token = accepted(created, 201).secret;
  return { id, name: username, client: server.client(token), token };
}

/** Gives roles in a project to users and groups. */
export async function giveRoles(
  server: TestServer,
  projectId: string,
  roles: readonly number[],
  to: { readonly users?: readonly number[]; readonly groups?: readonly number[] },
): Promise<void> {
  const body = { roles, users: [], groups: [], ...to };
  accepted(await server.admin.call('POST /api/admin/projects/:projectId/access', { params: { projectId }, body }), 200);
}

/** Creates a caller like {@link givenCaller}: a Viewer who has a role in the project. */
export async function givenMember(server: TestServer, projectId: string, roleId: number): Promise<Caller> {
  const caller = await givenCaller(server);
  await giveRoles(server, projectId, [roleId], { users: [caller.id] });
  return caller;
}

function accepted(reply: Awaited<ReturnType<ApiClient['call']>>, status: number) {
  if (reply.status !== status) throw new Error(`the request was answered ${reply.status}: ${reply.text}`);
  return reply.text === '' ? undefined : reply.json;
}

/** Gives a service account another root role, by its id: 2 is Editor, 3 is Viewer. */
export async function setRootRole(server: TestServer, id: number, rootRole: number): Promise<void> {
  const { serviceAccounts } = (await server.admin.call('GET /api/admin/service-account')).json;
  const { name, username } = serviceAccounts.find((account: { readonly id: number }) => account.id === id);
  const body = { name, username, rootRole };
  accepted(await server.admin.call('PUT /api/admin/service-account/:id', { params: { id }, body }), 200);
}
