import { describe, expect, it } from 'vitest';
import type { Reply } from '#testing/client.ts';
import { type GivenUser, givenUser } from '#testing/people.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';

const dayMs = 86_400_000;
const longestDelaySeconds = 900;
let addresses = 0;
/** Returns a client address that was not used before. */
const elsewhere = () => `198.51.${100 + Math.floor(++addresses / 250)}.${addresses % 250}`;

function attempt(server: TestServer, username: string, password: string, from = elsewhere()): Promise<Reply> {
  const headers = { 'x-forwarded-for': from };
  return server.anonymous.call('POST /auth/simple/login', { body: { username, password }, headers });
}

async function guesses(server: TestServer, username: string, times: number, from?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push((await attempt(server, username, `wrong-${n}`, from)).status);
  return statuses;
}

const logIn = async (server: TestServer, { username, password }: GivenUser, from?: string) =>
  (await attempt(server, username, password, from)).status;

const settings = { loginFailuresBeforeDelay: 3, trustProxy: 1 };

describe('failed logins of one account', () => {
  const server = useServer(settings);

  it('are counted together, whichever of its names is entered', async () => {
    const { username } = await givenUser(server());
    const email = `${username}@example.com`;
    const names = [username, email, email.toUpperCase()];
    const statuses: number[] = [];
    for (const name of names) statuses.push((await attempt(server(), name, 'wrong')).status);
    expect(statuses).toEqual([401, 401, 401]);
    for (const name of names) expect((await attempt(server(), name, 'wrong')).status).toBe(429);
  });

  it('are not those of a name with a letter that only looks like one of ASCII in lower case', async () => {
    const email = `kim-${Date.now()}@example.com`;
    const password = 'A-Good-Passw0rd';
    const body = { email, name: 'Kim', password, rootRole: 'Viewer' };
    expect((await server().admin.call('POST /api/admin/user-admin', { body })).status).toBe(201);
    expect((await attempt(server(), email.replace('k', '\u212a'), password)).status).toBe(401);
    expect((await attempt(server(), email.toUpperCase(), password)).status).toBe(200);
  });
});

describe('failed logins with one user name from changing addresses', () => {
  const server = useServer(settings);

  it('double the delay with each failure, up to 15 minutes', async () => {
    const { username } = await givenUser(server());
    expect(await guesses(server(), username, 3)).toEqual([401, 401, 401]);
    const delays: number[] = [];
    for (let n = 0; n < 13; n++) {
      const reply = await attempt(server(), username, 'wrong');
      expect(reply.status).toBe(429);
      expect(reply.json).toMatchObject({ name: 'RateLimitError', message: expect.stringContaining('password link') });
      const delay = Number(reply.headers.get('retry-after'));
      delays.push(delay);
      server().clock.advance(delay * 1000);
      expect(await guesses(server(), username, 1)).toEqual([401]);
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, longestDelaySeconds]);
  });

  it('are counted for unknown user names, too, so that the delay does not reveal who exists', async () => {
    expect(await guesses(server(), 'nobody-by-this-name', 5)).toEqual([401, 401, 401, 429, 429]);
    const { username } = await givenUser(server());
    expect(await guesses(server(), username, 5)).toEqual([401, 401, 401, 429, 429]);
    expect(await guesses(server(), username.toUpperCase(), 1)).toEqual([429]);
  });

  it('are counted when they are concurrent', async () => {
    const { username } = await givenUser(server());
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => attempt(server(), username, `wrong-${n}`)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([401, 401, 401, ...Array(9).fill(429)]);
  });

  it('are forgotten after a day without failures', async () => {
    const { username } = await givenUser(server());
    expect(await guesses(server(), username, 4)).toEqual([401, 401, 401, 429]);
    server().clock.advance(dayMs);
    expect(await guesses(server(), username, 4)).toEqual([401, 401, 401, 429]);
  });

  it('still count after a restart', async () => {
    const storage = await createStorage();
    let own = await startServer(storage, settings);
    try {
      const { username } = await givenUser(own);
      expect(await guesses(own, username, 3)).toEqual([401, 401, 401]);
      await own.stop();
      own = await startServer(storage, settings, own.clock);
      expect(await guesses(own, username, 1)).toEqual([429]);
    } finally {
      await own.stop();
      await storage.remove();
    }
  });
});

describe('a user whose password is being guessed', () => {
  const server = useServer(settings);

  it('can always log in from a network of an earlier login', async () => {
    const user = await givenUser(server());
    expect(await logIn(server(), user, '192.0.2.1')).toBe(200);
    for (let round = 0; round < 3; round++) {
      await guesses(server(), user.username, 6);
      expect(await logIn(server(), user)).toBe(429);
      expect(await logIn(server(), user, '192.0.2.1')).toBe(200);
      expect(await attempt(server(), `${user.username}@example.com`, user.password, '192.0.2.1')).toMatchObject({
        status: 200,
      });
    }
  });

  it('is delayed by failures from a known network, which are counted separately', async () => {
    const user = await givenUser(server());
    expect(await logIn(server(), user, '192.0.2.2')).toBe(200);
    expect(await guesses(server(), user.username, 4, '192.0.2.2')).toEqual([401, 401, 401, 429]);
    expect(await logIn(server(), user, '192.0.2.2')).toBe(429);
    expect(await logIn(server(), user)).toBe(200);
  });

  it('can log in from anywhere after the delay; attempts during the delay do not prolong it', async () => {
    const user = await givenUser(server());
    expect(await guesses(server(), user.username, 20)).toEqual([401, 401, 401, ...Array(17).fill(429)]);
    server().clock.advance(1000);
    expect(await logIn(server(), user)).toBe(200);
    expect(await guesses(server(), user.username, 3)).toEqual([401, 401, 401]);
  });

  it('can log in after a password reset by link', async () => {
    const user = await givenUser(server());
    await guesses(server(), user.username, 4);
    await guesses(server(), `${user.username}@example.com`, 4);
    const { json } = await server().admin.call('POST /api/admin/user-admin/reset-password', { body: { id: user.id } });
    const body = { token: new URL(json.resetPasswordUrl).searchParams.get('token'), password: 'Another-Passw0rd' };
    expect((await server().anonymous.call('POST /auth/reset/password', { body })).status).toBe(200);
    expect((await attempt(server(), `${user.username}@example.com`, body.password)).status).toBe(200);
    expect((await attempt(server(), user.username, body.password)).status).toBe(200);
  });

  it('can log in many times at the same time', async () => {
    const user = await givenUser(server());
    const statuses = await Promise.all(Array.from({ length: 8 }, () => logIn(server(), user)));
    expect(statuses).toEqual(Array(8).fill(200));
  });
});

describe('with LOGIN_FAILURES_BEFORE_DELAY 0', () => {
  const server = useServer({ loginFailuresBeforeDelay: 0, trustProxy: 1 });

  it('no login is delayed', async () => {
    const user = await givenUser(server());
    expect(await guesses(server(), user.username, 6)).toEqual(Array(6).fill(401));
    expect(await logIn(server(), user)).toBe(200);
  });
});
