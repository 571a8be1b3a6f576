import { expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { environmentOf, runProgram } from '#testing/program.ts';
import { createStorage, startServer } from '#testing/server.ts';
import { givenProvider } from '#testing/single-sign-on.ts';

it('recover prints a new password once, with which a locked-out user logs in', async () => {
  const storage = await createStorage();
  const run = (user: string) => runProgram(['recover', user], environmentOf(storage));
  const settings = { initAdminTokens: ['*:*.of-this-test'] };
  const before = await startServer(storage, settings);
  const idp = await givenProvider(before);
  const admin = await givenUser(before, 'Admin');
  const off = await before.admin.call('POST /api/admin/auth/simple/settings', { body: { disabled: true } });
  expect(off.status).toBe(200);
  await idp.stop();
  await before.stop();

  const unknown = await run('unknown-user');
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no user unknown-user.') });
  const { code, stdout } = await run(admin.username);
  expect(code).toBe(0);
  const password = /^ {2}password {3}(\S{24}) /m.exec(stdout)?.[1] ?? '';
  const after = await startServer(storage, settings);
  await expect(logIn(after.anonymous, admin)).rejects.toThrow('401');
  await logIn(after.anonymous, { ...admin, password });
  const { text } = await after.admin.call('GET /api/admin/events', { query: { limit: 10 } });
  expect(
    JSON.parse(text)
      .events.map(({ type }: { type: string }) => type)
      .slice(0, 4),
  ).toEqual(['user-logged-in', 'server-started', 'user-updated', 'setting-updated']);
  expect(text).not.toContain(password);
  await after.stop();
  await storage.remove();
}, 60_000);
