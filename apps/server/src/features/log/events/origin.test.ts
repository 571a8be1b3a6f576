import { describe, expect, it } from 'vitest';
import { givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenEnabled, givenFlag, givenProject } from '#testing/flags.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const create = 'POST /api/admin/projects/:projectId/features';
const search = 'GET /api/admin/search/events';

interface Shown {
  readonly type: string;
  readonly origin: Readonly<Record<string, unknown>> | null;
  readonly outcome: string;
  readonly reason: string | null;
}

/** Creates a flag in a request with these headers, and returns the event as an administrator sees it. */
async function eventOf(
  server: TestServer,
  headers: Readonly<Record<string, string>>,
  client = server.anonymous,
): Promise<Shown> {
  const projectId = await givenProject(server);
  const reply = await client.call(create, {
    params: { projectId },
    body: { name: `${projectId}.f` },
    headers,
  });
  expect(reply.status, reply.text).toBe(201);
  return newestOf(server, projectId);
}

async function newestOf(server: TestServer, project: string): Promise<Shown> {
  const { json } = await server.admin.call('GET /api/admin/events', { query: { project, limit: 1 } });
  return json.events[0];
}

const expiring = { expiresAt: '2099-01-01T00:00:00.000Z' };

describe('the origin of an event', () => {
  const server = useServer();

  it('of a session names the session, the address and the user agent', async () => {
    const headers = await logIn(server().anonymous, await givenUser(server(), 'Editor'));
    const sessions = await server().anonymous.call('GET /api/admin/user/sessions', { headers });
    const event = await eventOf(server(), { ...headers, 'user-agent': 'Firefox/140' });
    expect(event).toMatchObject({ type: 'feature-created', outcome: 'success', reason: null });
    expect(event.origin).toEqual({
      address: '127.0.0.1',
      userAgent: 'Firefox/140',
      method: 'session',
      sessionId: sessions.json.sessions[0].id,
      tokenId: null,
    });
  });

  it('of a personal token names the token', async () => {
    const headers = await logIn(server().anonymous, await givenUser(server(), 'Editor'));
    const body = { description: 'laptop', ...expiring };
    const { json } = await server().anonymous.call('POST /api/admin/user/tokens', { headers, body });
    const { origin } = await eventOf(server(), { authorization: json.secret });
    expect(origin).toMatchObject({ method: 'personal-token', sessionId: null, tokenId: json.id });
  });

  it('of a service account names its token', async () => {
    const body = { username: 'robot', name: 'Robot', rootRole: 2 };
    const account = await server().admin.call('POST /api/admin/service-account', { body });
    const token = await server().admin.call('POST /api/admin/service-account/:id/token', {
      params: { id: account.json.id },
      body: { description: 'deploys', ...expiring },
    });
    const { origin } = await eventOf(server(), { authorization: token.json.secret });
    expect(origin).toMatchObject({ method: 'service-account-token', sessionId: null, tokenId: token.json.id });
  });

  it('of an admin token names the API token', async () => {
    const { origin } = await eventOf(server(), {}, server().admin);
    expect(origin).toMatchObject({ method: 'admin-token', sessionId: null, tokenId: expect.any(Number) });
  });

  it('of a login has no credentials', async () => {
    const user = await givenUser(server());
    await logIn(server().anonymous, user);
    const { json } = await server().admin.call(search, { query: { type: 'IS:user-logged-in', limit: 1 } });
    expect(json.events[0].origin).toMatchObject({ address: '127.0.0.1', method: 'none', sessionId: null });
  });

  it('ignores X-Forwarded-For of a client that is no trusted proxy', async () => {
    const { origin } = await eventOf(server(), { 'x-forwarded-for': '203.0.113.7' }, server().admin);
    expect(origin).toMatchObject({ address: '127.0.0.1' });
  });

  it('keeps 200 characters of a user agent', async () => {
    const { origin } = await eventOf(server(), { 'user-agent': `a\tb${'x'.repeat(500)}` }, server().admin);
    expect(origin?.['userAgent']).toBe(`ab${'x'.repeat(197)}`);
  });

  it('is not shown to callers who are not administrators', async () => {
    const { projectId } = await givenEnabled(server(), await givenProject(server()));
    const viewer = server().client(await server().tokenOf('viewer'));
    const seen = await viewer.call(search, { query: { project: `IS:${projectId}` } });
    expect(seen.json.events.length).toBeGreaterThan(0);
    for (const event of seen.json.events) expect(event).toMatchObject({ origin: null, outcome: 'success' });
    const { json } = await server().admin.call(search, { query: { project: `IS:${projectId}` } });
    for (const event of json.events) expect(event.origin).toMatchObject({ method: 'admin-token' });
  });

  it('of an action set is null, and the reason is the name of the set', async () => {
    const set = await givenSet(server(), { name: 'Switch off on alert' });
    await signal(server(), set);
    await expect.poll(async () => (await runsOf(server(), set)).length).toBe(1);
    expect(await newestOf(server(), set.projectId)).toMatchObject({ origin: null, reason: 'Switch off on alert' });
  });
});

describe('the origin of an event behind a trusted proxy', () => {
  const server = useServer({ trustProxy: 1 });

  it('has the address from X-Forwarded-For', async () => {
    const { origin } = await eventOf(server(), { 'x-forwarded-for': '203.0.113.7' }, server().admin);
    expect(origin).toMatchObject({ address: '203.0.113.7' });
  });
});

describe('the reason for a change', () => {
  const server = useServer();

  const change = (reason: string) => eventOf(server(), { 'x-change-reason': reason }, server().admin);

  it('is recorded from the header X-Change-Reason, decoded and trimmed', async () => {
    expect(await change(encodeURIComponent(' Größere Körbe – INC-7 '))).toMatchObject({
      reason: 'Größere Körbe – INC-7',
    });
    expect(await change('plain words')).toMatchObject({ reason: 'plain words' });
    const longest = 'ä'.repeat(500);
    expect(await change(encodeURIComponent(longest))).toMatchObject({ reason: longest });
  });

  it.each([
    ['is empty', ' '],
    ['is too long', 'x'.repeat(501)],
    ['is not percent-encoded UTF-8', '%E0%A4%A'],
    ['has characters outside ASCII', 'gr\u00fcn'],
    ['has a line feed', 'a%0Ab'],
    ['has a null character', 'a%00b'],
  ])('answers 400 when it %s, and changes nothing', async (_why, reason) => {
    const projectId = await givenProject(server());
    const reply = await server().admin.call(create, {
      params: { projectId },
      body: { name: `${projectId}.f` },
      headers: { 'x-change-reason': reason },
    });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ name: 'BadDataError', details: [{ path: 'X-Change-Reason' }] });
    expect(await newestOf(server(), projectId)).toMatchObject({ type: 'project-created' });
  });

  it('is the same on each event of a change', async () => {
    const projectId = await givenProject(server());
    const flags = [await givenFlag(server(), {}, projectId), await givenFlag(server(), {}, projectId)];
    await server().admin.call('POST /api/admin/projects/:projectId/archive', {
      params: { projectId },
      body: { features: flags.map(({ featureName }) => featureName) },
      headers: { 'x-change-reason': 'Spring%20cleaning' },
    });
    const { json } = await server().admin.call('GET /api/admin/events', { query: { project: projectId, limit: 2 } });
    for (const event of json.events)
      expect(event).toMatchObject({ type: 'feature-archived', reason: 'Spring cleaning' });
  });
});
