import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstOf } from '#kernel/lists.ts';
import { ApiClient } from '#testing/client.ts';
import { logIn } from '#testing/people.ts';
import { usePrograms } from '#testing/program.ts';
import { createStorage, engine, startServer, type TestStorage } from '#testing/server.ts';

let storage: TestStorage;
const programs = usePrograms();
const start = (variables?: Record<string, string>) => programs.start(storage, variables);
const { stop } = programs;

const passwordIn = (text: string) => /^ +password +(\S+)/m.exec(text)?.[1];

beforeEach(async () => {
  storage = await createStorage();
});
afterEach(() => storage.remove());

describe('the first administrator', () => {
  it('logs in with the password that the first start prints, which no later start does', async () => {
    const first = await start();
    expect(first.text).toMatch(/^ +user name +admin$/m);
    const password = passwordIn(first.text) ?? '';
    await logIn(new ApiClient(first.url), { username: 'admin', password });
    await stop(first);
    const second = await start();
    expect(second.text).not.toContain('password');
    await logIn(new ApiClient(second.url), { username: 'admin', password });
    await stop(second);
  });

  it('is printed first at a first start, before the address and the warnings', async () => {
    // On a busy machine, lines about slow statements would come between.
    const variables = { UNLEASH_SECRET: '', YARDARM_SLOW_STATEMENT_MS: '0' };
    const started = await programs.start(storage, variables, /UNLEASH_SECRET is not set/);
    const lines = started.text.split('\n').filter((line) => line.trim() !== '');
    const places = [
      'The first administrator',
      'password ',
      `serves on ${started.url}`,
      'UNLEASH_SECRET is not set',
    ].map((text) => lines.findIndex((line) => line.includes(text)));
    expect(places).toEqual([0, 2, 3, lines.length - 1]);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 40, time: expect.any(Number) });
    await stop(started);
  });

  it('has the name and the password of the settings, which are not printed', async () => {
    const started = await start({
      UNLEASH_DEFAULT_ADMIN_USERNAME: 'boss',
      UNLEASH_DEFAULT_ADMIN_PASSWORD: 'Chosen-Passw0rd',
    });
    expect(started.text).toMatch(/^ +user name +boss$/m);
    expect(started.text).not.toContain('Chosen-Passw0rd');
    await logIn(new ApiClient(started.url), { username: 'boss', password: 'Chosen-Passw0rd' });
    await stop(started);
  });

  it.runIf(engine === 'postgres')('is created and shown by one of processes that start at once', async () => {
    const started = await Promise.all([start(), start()]);
    const passwords = started.map(({ text }) => passwordIn(text)).filter((password) => password !== undefined);
    expect(passwords).toHaveLength(1);
    for (const { url } of started) await logIn(new ApiClient(url), { username: 'admin', password: firstOf(passwords) });
    await Promise.all(started.map(stop));
  });

  it('may have a weak password, which the log warns of without saying it', async () => {
    const server = await startServer(storage, { adminPassword: 'unleash4all' });
    try {
      await logIn(server.anonymous, { username: 'admin', password: 'unleash4all' });
      const warnings = server.logged
        .map((line) => JSON.parse(line))
        .filter(({ level, msg }) => level === 40 && msg.includes('password'));
      expect(warnings).toEqual([expect.objectContaining({ msg: expect.stringContaining('weak password') })]);
      expect(server.logged.join()).not.toContain('unleash4all');
    } finally {
      await server.stop();
    }
  });

  it('comes when authentication is turned on, not before', async () => {
    const open = await startServer(storage, { authType: 'none' });
    const before = (await open.anonymous.call('GET /api/admin/user-admin')).json;
    await open.stop();
    expect(before.users).toEqual([]);
    const closed = await startServer(storage);
    try {
      await logIn(closed.anonymous, { username: 'admin', password: 'First-Admin-42!' });
    } finally {
      await closed.stop();
    }
  });

  it('is created by the system, as the event says without a password', async () => {
    const server = await startServer(storage);
    try {
      const { json } = await server.admin.call('GET /api/admin/search/events', { query: { type: 'IS:user-created' } });
      expect(json.events).toEqual([
        expect.objectContaining({
          createdByUserId: -1337,
          data: { id: expect.any(Number), name: 'admin', username: 'admin', email: null, rootRole: 1 },
        }),
      ]);
    } finally {
      await server.stop();
    }
  });
});
