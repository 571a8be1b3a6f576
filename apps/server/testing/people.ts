import type { ApiClient, Call } from './client.ts';
import type { TestServer } from './server.ts';

let made = 0;
/** The password of every {@link givenUser}; it satisfies all password rules. */
export const goodPassword = 'A-Good-Passw0rd';

export interface GivenUser {
  readonly id: number;
  readonly username: string;
  readonly password: string;
}

/** Creates a user with a password and a name that no other scenario uses. */
export async function givenUser(server: TestServer, rootRole: number | string = 'Viewer'): Promise<GivenUser> {
  const username = `person-${++made}`;
  const { json } = await server.admin.call('POST /api/admin/user-admin', {
    body: { username, name: 'A person', email: `${username}@example.com`, password: goodPassword, rootRole },
  });
  return { id: json.id, username, password: goodPassword };
}

/** Logs in and returns the header with the cookie of the session. */
export async function logIn(client: ApiClient, user: Pick<GivenUser, 'username' | 'password'>) {
  const reply = await client.call('POST /auth/simple/login', {
    body: { username: user.username, password: user.password },
  });
  const cookie = reply.headers.getSetCookie()[0]?.split(';', 1)[0];
  if (cookie === undefined) throw new Error(`the login of ${user.username} answered ${reply.status}: ${reply.text}`);
  return { cookie };
}

/** Creates a user, logs in, and returns the headers of the session. */
export async function asNewUser(server: TestServer, rootRole?: string): Promise<Call> {
  return { headers: await logIn(server.anonymous, await givenUser(server, rootRole)) };
}

/** Creates a user with a personal token, and returns the headers of a session of the user. */
export async function givenTokenOwner(server: TestServer) {
  const user = await givenUser(server);
  const headers = await logIn(server.anonymous, user);
  const body = { description: 'laptop', expiresAt: '2099-01-01T00:00:00Z' };
  const { status, text } = await server.anonymous.call('POST /api/admin/user/tokens', { headers, body });
  if (status !== 201) throw new Error(`creating the token was answered ${status}: ${text}`);
  return { user, headers };
}
