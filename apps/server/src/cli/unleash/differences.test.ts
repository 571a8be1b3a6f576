import { describe, expect, it } from 'vitest';
import { freshName, givenFlag } from '#testing/flags.ts';
import { lastEventId } from '#testing/scenario.ts';
import { useUnleashMove } from '#testing/unleash-move.ts';

interface Named {
  readonly name: string;
}

describe('a move that is repeated', () => {
  const { unleash, server, run, get, change } = useUnleashMove();

  /** Changes the objects of a list in an answer of Unleash. */
  const changeEach = (path: string, list: string, changed: (object: Named & Record<string, unknown>) => object) =>
    change(path, (old: Record<string, (Named & Record<string, unknown>)[]>) => ({
      ...old,
      [list]: old[list]?.map((object) => ({ ...object, ...changed(object) })),
    }));

  it('lists what is only here, and what differs and stays', async () => {
    expect(await run(['--apply'])).toMatchObject({ code: 0 });
    const { featureName } = await givenFlag(server(), {}, 'default');
    const username = freshName('local');
    const { status } = await server().admin.call('POST /api/admin/user-admin', { body: { username, rootRole: 3 } });
    expect(status).toBe(201);
    changeEach('/api/admin/environments', 'environments', ({ name }) =>
      name === 'production' ? { type: 'other' } : {},
    );
    changeEach('/api/admin/user-admin', 'users', ({ name }) => (name === 'Bob' ? { rootRole: 1 } : {}));
    changeEach('/api/admin/user-admin', 'rootRoles', ({ name }) => (name === 'Viewer' ? { name: 'Auditor' } : {}));
    changeEach('/api/admin/strategies', 'strategies', ({ name }) => (name === 'byHost' ? { description: 'New' } : {}));
    change('/api/admin/ui-config', (old: object) => ({ ...old, frontendApiOrigins: ['https://shop.example.com'] }));
    const path = '/api/admin/segments';
    change(path, (old: { segments: object[] }) => ({
      segments: [...old.segments, { id: 900, name: 'renamed-away', constraints: [] }],
    }));
    unleash().completed.add('never-on');
    const { text } = await run(['--apply']);
    change(path, (old: { segments: object[] }) => ({ segments: old.segments.slice(0, -1) }));
    const again = await run();
    const lines = `${text}\n${again.text}`.split('\n');
    for (const line of [
      `Note: Only here, and stays: flags: ${featureName}.`,
      'Note: Only here, and stays: segments: renamed-away.',
      expect.stringMatching(`^Note: Only here, and stays: users: .*\\b${username}\\b`),
      expect.stringMatching(
        /^Note: Differs and stays: environments: .*production \(type: other there, production here/,
      ),
      expect.stringContaining('byHost (description: New there, Custom by host here)'),
      expect.stringMatching(/^Note: Differs and stays: users: .*bob \(rootRole: Admin there, Editor here\)/),
      expect.stringMatching(/^Note: Differs and stays: expected lifetimes .*release \(77 days there, 40 days here\)/),
      'Note: Differs and stays: allowed origins of the frontend API: https://shop.example.com there, * here.',
      'Note: Only in Unleash: root roles: Auditor.',
      'Note: Flags are completed in Unleash; here their lifecycle begins anew: never-on.',
    ])
      expect(lines).toContainEqual(line);
  }, 180_000);

  it('archives the flags that were archived in Unleash, when asked to', async () => {
    expect(await run(['--apply'])).toMatchObject({ code: 0 });
    const { featureName } = await givenFlag(server(), {}, 'default');
    // The parent of check-child, which is archived with it.
    for (const name of ['never-on', 'check-parent', 'check-child', 'check-child-of-off']) unleash().archived.add(name);
    const before = await lastEventId(server());
    const shown = await run();
    expect(shown.text).toMatch(/Note: Flags are archived in Unleash, and stay here\. .*never-on/);
    expect(await lastEventId(server())).toBe(before);
    const applied = await run(['--archive', '--apply']);
    expect([applied.code, applied.text]).toEqual([0, expect.stringContaining('- flag never-on (default)')]);
    expect(applied.text).toContain('0 to create, 0 to change, 4 to archive.');
    const { features } = await get('GET /api/admin/projects/:projectId/features', { projectId: 'default' });
    const names = features.map(({ name }: Named) => name);
    expect(names).not.toContain('never-on');
    expect(names).toContain(featureName);
    expect((await run(['--archive'])).text).toContain('No changes.');
  }, 180_000);
});
