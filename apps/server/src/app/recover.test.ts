import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { givenUser, logIn } from '../../testing/people.ts';
import { createStorage, startServer } from '../../testing/server.ts';
import { givenProvider } from '../../testing/single-sign-on.ts';

const program = fileURLToPath(new URL('../../bin/yardarm.js', import.meta.url));

it('recover prints a new password once, with which a locked-out user logs in', async () => {
  const storage = createStorage();
  const { dataDir = '', databaseUrl = '', databaseSchema = 'public' } = storage.settings;
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, [program, 'recover', ...words], {
      env: { ...process.env, YARDARM_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DATABASE_SCHEMA: databaseSchema },
    });
  const settings = { initAdminTokens: ['*:*.of-this-test'] };
  const before = await startServer(storage, settings);
  const idp = await givenProvider(before);
  const admin = await givenUser(before, 'Admin');
  const off = await before.admin.call('POST /api/admin/auth/simple/settings', { body: { disabled: true } });
  expect(off.status).toBe(200);
  await idp.stop();
  await before.stop();

  await expect(run('unknown-user')).rejects.toThrow('There is no user unknown-user.');
  const { stdout } = await run(admin.username);
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
