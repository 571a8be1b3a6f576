import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { type TestServer, useServer } from '#testing/server.ts';
import { loginHistoryScenarios } from './login-history.scenarios.ts';

const dayMs = 86_400_000;

describe('login history routes', () => testScenarios(useServer(), loginHistoryScenarios));

describe('the login history', () => {
  const server = useServer({ loginHistoryRetentionDays: 30, trustProxy: 1 });
  const logins = async (of: TestServer, query = {}) =>
    (await of.admin.call('GET /api/admin/logins', { query })).json.events;

  it('records a failed login with its client address, but not the password', async () => {
    const { username } = await givenUser(server());
    await server().anonymous.call('POST /auth/simple/login', {
      body: { username, password: 'Not-My-Passw0rd' },
      headers: { 'x-forwarded-for': '192.0.2.7' },
    });
    const [newest] = await logins(server());
    expect(newest).toMatchObject({ username, successful: false, ip: '192.0.2.7' });
    expect(JSON.stringify(newest)).not.toContain('Not-My-Passw0rd');
  });

  it('is read in pages', async () => {
    const user = await givenUser(server());
    for (let times = 0; times < 3; times++) await logIn(server().anonymous, user);
    const [first] = await logins(server(), { limit: 1 });
    const next = await logins(server(), { limit: 2, before: first.id });
    expect(next.map(({ id }: { id: number }) => id)).toEqual([first.id - 1, first.id - 2]);
  });

  it('deletes logins that are older than the retention', async () => {
    await logIn(server().anonymous, await givenUser(server()));
    server().clock.advance(31 * dayMs);
    await logIn(server().anonymous, await givenUser(server()));
    await server().app.service.jobs.runDue();
    expect(await logins(server())).toHaveLength(1);
  });
});
