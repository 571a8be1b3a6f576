import { expect, it } from 'vitest';
import { asNewUser } from '#testing/people.ts';
import { useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';

const server = useServer();
const secret = 'user:a-secret-of-a-path-0000000000000000000000';

it.each([
  ['an answer', '/api/admin/user', 200],
  ['a page of the feed', '/api/admin/events/feed', 200],
  ['an error', '/api/admin/user-admin/999999', 404],
  ['an unknown path', '/api/admin/nothing', 404],
  ['a wrong method', '/api/admin/state/apply', 405],
])('%s of the admin API is not stored', async (_what, path, status) => {
  const { headers = {} } = await asNewUser(server(), 'Admin');
  const reply = await server().anonymous.request('GET', path, { headers });
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([status, 'no-store']);
});

it('a refusal and a stream of the admin API are not stored', async () => {
  const refused = await server().anonymous.request('GET', '/api/admin/user');
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([401, 'no-store']);
  const { headers = {} } = await asNewUser(server());
  const stream = await TestStream.open(`${server().url}/api/admin/activity`, headers);
  expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
  stream.close();
});

it.each([
  `/api/admin/api-tokens/${secret}/more`,
  `/api/admin/invite-link/tokens/${secret}/x`,
  `/api/signal-endpoint/name/${secret}/x`,
  `/invite/${secret}`,
  `/${secret}`,
])('an error for the path %s does not repeat it', async (path) => {
  for (const method of ['GET', 'POST', 'PATCH']) {
    const reply = await server().admin.request(method, path);
    expect([404, 405]).toContain(reply.status);
    expect(reply.text).not.toContain(secret);
  }
});
