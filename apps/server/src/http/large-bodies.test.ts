import { describe, expect, it } from 'vitest';
import { withLongestTurn } from '#testing/longest-turn.ts';
import { RawConnection } from '#testing/raw-http.ts';
import { expectProblem, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const validate = '/api/admin/features-batch/validate';
const plan = '/api/admin/state/plan';
const headers = { 'content-type': 'application/json' };

/**
 * Returns the body of an import. `features` is the JSON text of its flags; `more` is the JSON text of further members,
 * such as `,"tags":[]`.
 */
const importOf = (features: string, more = '') =>
  `{"project":"default","environment":"development","data":{"features":[${features}]${more}}}`;

const flags = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `flag-${n}`, description: 'x'.repeat(100), type: 'release' }));

describe('a large body', () => {
  const server = useServer();

  it.each([
    ['two million empty objects', validate, importOf(`${'{},'.repeat(2_000_000)}{}`), /more than 100000 members/],
    [
      'a million projects',
      plan,
      `{"state":{"version":1,"projects":{${Array.from({ length: 1_000_000 }, (_, n) => `"p${n}":{}`).join()}}}}`,
      /more than 100000 members/,
    ],
    ['30 MB of brackets', validate, '['.repeat(30_000_000), /nested deeper than 64 levels/],
    [
      'arrays that are short, and too many',
      plan,
      `[${Array.from({ length: 2000 }, () => `[${'0,'.repeat(1500)}0]`).join()}]`,
      /more than 2000000 values/,
    ],
    [
      'a text that holds JSON nested too deep',
      validate,
      JSON.stringify({ project: 'default', environment: 'development', data: '['.repeat(1_000_000) }),
      /data: is nested deeper than 64 levels/,
    ],
  ])('of %s is refused with a short explanation, and keeps no other request waiting', async (_name, path, raw, why) => {
    const body = Buffer.from(raw);
    const before = await lastEventId(server());
    const { result, longestTurnMs } = await withLongestTurn(() =>
      server().admin.request('POST', path, { raw: body, headers }),
    );
    expect(result.status).toBe(400);
    expectProblem(result);
    expect(result.json.message).toMatch(why);
    expect(result.text.length).toBeLessThan(1000);
    expect(longestTurnMs).toBeLessThan(200);
    expect(await lastEventId(server())).toBe(before);
  });

  it('with a hundred thousand violations is answered with fifty of them', async () => {
    const raw = Buffer.from(importOf(`${'{},'.repeat(99_999)}{}`));
    const { result, longestTurnMs } = await withLongestTurn(() =>
      server().admin.request('POST', validate, { raw, headers }),
    );
    expect(result.status).toBe(400);
    expect(result.json.details).toHaveLength(50);
    expect(result.json.message).toContain('the first 50 of 100000 violations');
    expect(longestTurnMs).toBeLessThan(200);
  });

  it('of many flags is planned in full, in their order, in turns with other requests', async () => {
    const raw = Buffer.from(
      importOf(
        flags(5000)
          .map((flag) => JSON.stringify(flag))
          .join(),
      ),
    );
    const { result, longestTurnMs } = await withLongestTurn(() =>
      server().admin.request('POST', validate, { raw, headers }),
    );
    expect(result.status).toBe(200);
    const created = result.json.changes.filter(({ type }: { type: string }) => type === 'feature-created');
    expect(created.map(({ name }: { name: string }) => name)).toEqual(flags(5000).map(({ name }) => name));
    expect(created[4999].fields).toContainEqual({ field: 'description', after: 'x'.repeat(100) });
    expect(longestTurnMs).toBeLessThan(200);
  });

  it.each([validate, plan, '/api/admin/features-batch/import', '/api/admin/state/apply'])(
    'to %s is refused before it is sent, without a permission to change flags anywhere',
    async (path) => {
      const connection = await RawConnection.open(server().url);
      const token = await server().tokenOf('viewer');
      connection.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${token}\r\nContent-Type: application/json\r\nContent-Length: 30000000\r\n\r\n`,
      );
      const reply = await connection.reply();
      connection.end();
      expect(reply.status).toBe(403);
      expect(reply.json).toMatchObject({ name: 'PermissionError', message: expect.stringContaining('102400 bytes') });
    },
  );

  it('in chunks is refused to the same callers where it passes the ordinary limit, and taken below it', async () => {
    const send = async (text: string) => {
      const connection = await RawConnection.open(server().url);
      connection.write(
        `POST ${validate} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${await server().tokenOf('viewer')}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      connection.write(`${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`);
      const reply = await connection.reply();
      connection.end();
      return reply;
    };
    expect((await send(importOf(' '.repeat(150_000)))).status).toBe(403);
    expect((await send(importOf(''))).status).toBe(200);
  });

  it('in chunks above the limit is refused with 413, and the account can send another one', async () => {
    const client = server().client(await server().tokenOf('editor'));
    const connection = await RawConnection.open(server().url);
    connection.write(
      `POST ${validate} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${await server().tokenOf('editor')}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, ' '), Buffer.from('\r\n')]);
    for (let sent = 0; sent < 33; sent++) connection.write(megabyte);
    expect((await connection.reply()).status).toBe(413);
    connection.end();
    const raw = importOf(' '.repeat(200_000));
    expect((await client.request('POST', validate, { raw, headers })).status).toBe(200);
  });

  it('waits for the earlier body of the same account, not for bodies of other accounts', async () => {
    const editor = await server().tokenOf('editor');
    const slow = await RawConnection.open(server().url);
    slow.write(
      `POST ${validate} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${editor}\r\nContent-Type: application/json\r\nContent-Length: 200000\r\nExpect: 100-continue\r\n\r\n`,
    );
    // 100 Continue: the server has begun to read the first body.
    expect((await slow.head()).status).toBe(100);
    const raw = importOf(' '.repeat(200_000));
    const second = await server().client(editor).request('POST', validate, { raw, headers });
    expect(second.status).toBe(429);
    expectProblem(second);
    expect(second.headers.get('retry-after')).toBe('1');
    expect((await server().admin.request('POST', validate, { raw, headers })).status).toBe(200);
    slow.end();
    await expect
      .poll(async () => (await server().client(editor).request('POST', validate, { raw, headers })).status, {
        timeout: 10_000,
      })
      .toBe(200);
  });

  it('of an account that may change flags in one project alone is read', async () => {
    const { json: user } = await server().admin.call('POST /api/admin/user-admin', {
      body: { email: 'owner@example.com', password: 'Owner-Of-One-42!', rootRole: 3, sendEmail: false },
    });
    await server().admin.call('POST /api/admin/projects', { body: { id: 'own', name: 'Own' } });
    const roles = await server().admin.call('GET /api/admin/roles');
    const member = roles.json.roles.find(({ name }: { name: string }) => name === 'Member');
    await server().admin.call('POST /api/admin/projects/:projectId/access', {
      params: { projectId: 'own' },
      body: { roles: [member.id], groups: [], users: [user.id] },
    });
    const login = await server().anonymous.request('POST', '/auth/simple/login', {
      body: { username: 'owner@example.com', password: 'Owner-Of-One-42!' },
    });
    const cookie = login.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const reply = await server().anonymous.request('POST', validate, {
      raw: importOf(' '.repeat(150_000)),
      headers: { ...headers, cookie },
    });
    expect(reply.status).toBe(200);
  });
});

describe('an ordinary body', () => {
  const server = useServer();

  it.each([
    ['wide', `{"name":"a",${Array.from({ length: 10_000 }, (_, n) => `"k${n}":0`).join()}}`, /more than 10000 members/],
    ['deep', `${'['.repeat(50_000)}`, /nested deeper than 64 levels/],
  ])('that is too %s is refused before it is parsed', async (_name, raw, why) => {
    const reply = await server().admin.call('POST /api/admin/signal-endpoints', { raw, headers });
    expect(reply.status).toBe(400);
    expectProblem(reply);
    expect(reply.json.message).toMatch(why);
  });

  it('may hold brackets, commas and escaped quotes in its texts', async () => {
    const description = `${'[{'.repeat(100)}\\" \\\\ ${','.repeat(3000)}`;
    const reply = await server().admin.call('POST /api/admin/signal-endpoints', {
      body: { name: 'quoted', description },
    });
    expect(reply.status).toBe(201);
    expect(reply.json.description).toBe(description);
  });
});
