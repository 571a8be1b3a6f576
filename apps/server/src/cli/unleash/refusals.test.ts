import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { lastEventId } from '#testing/scenario.ts';
import { useUnleashMove } from '#testing/unleash-move.ts';

describe('yardarm import-from-unleash with odd content or tokens', () => {
  const { unleash, server, run, restartWith, get, change } = useUnleashMove();
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'yardarm-unleash-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('moves odd texts that no SDK evaluates, and lists what it changed', async () => {
    const flag = '/api/admin/projects/default/features/never-on';
    change('/api/admin/features/never-on/tags', () => ({ tags: [{ type: 'simple', value: 'area :checkout' }] }));
    change(flag, (old: object) => ({
      ...old,
      description: 'd'.repeat(5000),
      type: 'of-a-plugin',
      links: [{ url: 'javascript:alert(1)' }, { url: 'https://example.com/kept', title: 'a\0b' }],
    }));
    change('/api/admin/tag-types', ({ tagTypes }: { tagTypes: object[] }) => ({
      tagTypes: [...tagTypes, { name: 'old', color: 'red' }],
    }));
    change('/api/admin/api-tokens', ({ tokens }: { tokens: object[] }) => ({
      tokens: [...tokens, { tokenName: 'of-the-past', type: 'client', environment: 'gone', projects: ['default'] }],
    }));
    const { code, text } = await run(['--apply']);
    expect([code, text]).toEqual([0, expect.stringContaining('Applied.')]);
    expect(text).toMatch(/Texts are cut .*: flag never-on\./);
    expect(text).toMatch(/Flags get the type release .*: flag never-on\./);
    expect(text).toMatch(/Links of flags do not move .*: flag never-on\./);
    expect(text).toMatch(/Colors do not move .*: tag type old\./);
    expect(text).toMatch(/API tokens do not move .*: of-the-past\./);
    const params = { projectId: 'default', featureName: 'never-on' };
    const moved = await get('GET /api/admin/projects/:projectId/features/:featureName', params);
    expect(moved).toMatchObject({ type: 'release', description: 'd'.repeat(4000) });
    expect(moved.links).toMatchObject([{ url: 'https://example.com/kept', title: 'a\uFFFDb' }]);
    const tagged = await get('GET /api/admin/features/:featureName/tags', { featureName: 'never-on' });
    expect(tagged.tags).toMatchObject([{ type: 'simple', value: 'area :checkout' }]);
    expect((await run()).text).toContain('No changes.');
  }, 120_000);

  it('names each object with a value that cannot be taken', async () => {
    const flag = '/api/admin/projects/default/features/never-on';
    const constraint = { contextName: ' ', operator: 'LIKE', values: ['a'] };
    change(flag, (old: object) => ({
      ...old,
      environments: [
        { name: 'development', enabled: true, strategies: [{ name: 'default', constraints: [constraint] }] },
      ],
    }));
    change('/api/admin/user-admin', (old: { users: object[]; rootRoles: object[] }) => ({
      users: [...old.users, { username: 'emperor', rootRole: 77 }],
      rootRoles: [...old.rootRoles, { id: 77, name: ' ' }],
    }));
    const { code, text } = await run();
    expect(code).toBe(1);
    expect(text).toContain(
      'projects.default.flags.never-on.environments.development.strategies.0.constraints.0.operator',
    );
    expect(text).toContain(
      'projects.default.flags.never-on.environments.development.strategies.0.constraints.0.context',
    );
    expect(text).toMatch(/users emperor\.rootRole: must not be empty/);
    expect(text).toContain('Nothing was planned.');
  }, 60_000);

  it('notices a wrong token for Yardarm before it reads Unleash', async () => {
    const wrong = await run([], { UNLEASH_TOKEN: unleash().token, YARDARM_TOKEN: 'wrong-one' });
    expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining('The server refused') });
    const { token: editor } = await givenCaller(server(), 'Editor');
    const refused = await run([], { UNLEASH_TOKEN: unleash().token, YARDARM_TOKEN: editor });
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('is not that of an administrator') });
    expect(unleash().requests).toEqual([]);
  }, 60_000);

  it('names in one line all segments that Unleash does not list, and plans nothing', async () => {
    change('/api/admin/segments', () => ({ segments: [] }));
    const { code, text } = await run(['--apply']);
    expect(code).toBe(1);
    expect(text).toBe('Flags use segments that Unleash does not list: 1, 13, 14, 16. Nothing was planned.\n');
  });

  it('changes nothing at all when one flag cannot be taken', async () => {
    await restartWith({ strategyLimit: 2 });
    const before = await lastEventId(server());
    const { code, text } = await run(['--apply']);
    expect([code, text]).toEqual([1, expect.stringMatching(/flags\.flag-00001\..*strategies must have at most 2/)]);
    expect(await lastEventId(server())).toBe(before);
    expect((await get('GET /api/admin/segments')).segments).toEqual([]);
  }, 60_000);

  it('takes the token of Unleash from a file, and says when there is none or it is refused', async () => {
    const file = join(directory, 'unleash().token');
    await writeFile(file, `${unleash().token}\n`);
    expect(await run(['--unleash-token-file', file], {})).toMatchObject({ code: 2 });
    expect(await run([], {})).toMatchObject({ code: 1, text: expect.stringContaining('UNLEASH_TOKEN') });
    const refused = await run([], { UNLEASH_TOKEN: 'wrong-one' });
    expect(refused).toMatchObject({ code: 1, text: expect.stringMatching(/refused GET http.* with 401/) });
    expect(refused.text).not.toContain('wrong-one');
    change('/api/admin/tags', () => ({ nothing: 1 }));
    expect((await run()).text).toMatch(/The answer to GET http.*\/tags is not that of an Unleash: tags /);
  }, 120_000);
});
