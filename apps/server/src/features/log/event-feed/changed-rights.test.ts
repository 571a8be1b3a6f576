import { afterEach, describe, expect, it } from 'vitest';
import { type Caller, givenCaller, giveRoles, setRootRole } from '#testing/access.ts';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { type TestServer, useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';

const server = useServer();
const memberRole = 5;

const open: TestStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function streamOf({ token }: Pick<Caller, 'token'>, at: TestServer = server()): Promise<TestStream> {
  const url = `${at.url}/api/admin/events/feed?after=newest`;
  const stream = await TestStream.open(url, { authorization: token, accept: 'text/event-stream' });
  open.push(stream);
  expect(stream.status).toBe(200);
  return stream;
}

/** Returns the names of the flags that a stream names until it ends. */
async function flagsUntilEnd(stream: TestStream): Promise<string[]> {
  const named: string[] = [];
  for (let next = await stream.next(); next !== undefined; next = await stream.next())
    if (next.data.featureName !== null) named.push(next.data.featureName);
  return named;
}

const setMode = (projectId: string, mode: 'open' | 'private') =>
  server().admin.call('PUT /api/admin/projects/:projectId/settings', {
    params: { projectId },
    body: { defaultStickiness: 'default', mode },
  });

/** Changes that take away the right to see a project while a stream is open. */
const changes = [
  [
    'the project becomes private',
    'open',
    async (projectId: string) => expect((await setMode(projectId, 'private')).status).toBe(200),
  ],
  [
    'the caller loses the role in a private project',
    'private',
    async (projectId: string, { id: userId }: Caller) => {
      const params = { projectId, userId };
      const route = 'DELETE /api/admin/projects/:projectId/users/:userId/roles';
      expect((await server().admin.call(route, { params })).status).toBe(200);
    },
  ],
  [
    'the account of the caller is deleted',
    'private',
    async (_projectId: string, { id }: Caller) => {
      const route = 'DELETE /api/admin/service-account/:id';
      expect((await server().admin.call(route, { params: { id } })).status).toBe(200);
    },
  ],
] as const;

describe('an open stream of events', () => {
  it.each(changes)('ends when %s, and tells nothing that happens there afterwards', async (_what, mode, change) => {
    const projectId = await givenProject(server(), { mode });
    const caller = await givenCaller(server());
    if (mode === 'private') await giveRoles(server(), projectId, [memberRole], { users: [caller.id] });
    const stream = await streamOf(caller);
    const before = await givenFlag(server(), {}, projectId);
    expect((await stream.next())?.data.featureName).toBe(before.featureName);
    await change(projectId, caller);
    const after = await givenFlag(server(), {}, projectId);
    expect(await flagsUntilEnd(stream)).not.toContain(after.featureName);
  });

  it('of an administrator ends when the administrator becomes a Viewer', async () => {
    const projectId = await givenProject(server(), { mode: 'private' });
    const caller = await givenCaller(server(), 'Admin');
    const stream = await streamOf(caller);
    const before = await givenFlag(server(), {}, projectId);
    expect((await stream.next())?.data.featureName).toBe(before.featureName);
    await setRootRole(server(), caller.id, 3);
    const after = await givenFlag(server(), {}, projectId);
    expect(await flagsUntilEnd(stream)).not.toContain(after.featureName);
  });
});

describe('an open stream of events with an admin token', () => {
  const [token, other] = ['*:*.the-token-of-the-stream', '*:*.the-token-that-stays'];
  const fresh = useServer({ initAdminTokens: [other, token], streamHeartbeatSeconds: 3600 });

  it('ends when the token is deleted', async () => {
    const stream = await streamOf({ token }, fresh());
    const { status } = await fresh().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token } });
    expect(status).toBe(200);
    expect(await flagsUntilEnd(stream)).toEqual([]);
  });
});
