import { describe, expect, it } from 'vitest';
import { firstOf } from '#kernel/lists.ts';
import { lastEventId } from '#testing/scenario.ts';
import { useUnleashMove } from '#testing/unleash-move.ts';

const tokenPattern = /(\*|default):(development|production)\.[\w-]{43}/g;

interface Named {
  readonly name: string;
}
interface Constraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values: readonly string[];
  readonly value?: string;
  readonly inverted: boolean;
  readonly caseInsensitive: boolean;
}
interface Strategy extends Named {
  readonly title: string | null;
  readonly disabled: boolean;
  readonly parameters: object;
  readonly constraints: readonly Constraint[];
  readonly segments: readonly number[];
  readonly variants: readonly object[];
}
interface Flag extends Named {
  readonly description: string | null;
  readonly type: string;
  readonly stale: boolean;
  readonly impressionData: boolean;
  readonly dependencies: readonly { readonly feature: string }[];
  readonly environments: readonly (Named & { readonly enabled: boolean; readonly strategies: readonly Strategy[] })[];
}
type Segments = readonly { readonly id: number; readonly name: string; readonly constraints: readonly Constraint[] }[];

describe('yardarm import-from-unleash', () => {
  const { unleash, server, run, get, bodyOf, change } = useUnleashMove();

  /**
   * Returns the parts of a flag that must stay the same for SDKs, with the names of segments and without default
   * values.
   */
  function gist(flag: Flag, segments: Segments) {
    const names = new Map(segments.map(({ id, name }) => [id, name]));
    return {
      ...{ name: flag.name, type: flag.type, stale: flag.stale, impressionData: flag.impressionData },
      description: flag.description ?? '',
      dependencies: flag.dependencies.map((dependency) => ({ variants: [], ...dependency })),
      environments: flag.environments.map(({ name, enabled, strategies }) => ({
        name,
        enabled,
        strategies: strategies.map((strategy) => ({
          ...{
            name: strategy.name,
            title: strategy.title,
            disabled: strategy.disabled,
            parameters: strategy.parameters,
          },
          ...{ constraints: strategy.constraints, variants: strategy.variants },
          segments: strategy.segments.map((id) => names.get(id)).toSorted(),
        })),
      })),
    };
  }

  it('shows what it would do and changes nothing, and reads Unleash by GET alone', async () => {
    const before = await lastEventId(server());
    const { code, text } = await run();
    expect(text).toContain('+ flag check-variant-split (default)');
    expect(text).toContain('+ segment not-japan');
    expect(text).toContain('+ user ada@example.com');
    expect(text).toContain('+ api token client-prod');
    expect(text).toMatch(/Note: .*passwords, secrets of API tokens/);
    expect(text).toContain('Admin tokens do not move: create personal tokens or service accounts: admin.');
    expect(text).toContain('Integrations do not move: Unleash does not tell their secrets: slack-app, datadog.');
    expect(text).toContain('Nothing was changed. Run the command again with --apply');
    expect(text.trimEnd().split('\n').slice(-2).join(' ')).toMatch(
      /^\d+ to create, \d+ to change, 0 to archive\. Nothing was changed\. Run/,
    );
    expect(code).toBe(2);
    expect(await lastEventId(server())).toBe(before);
    expect(unleash().requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(text).not.toContain(unleash().token);
    expect(text).not.toContain('new-user?token');
  }, 60_000);

  it('moves flags, segments, context fields, strategies, tags, users and tokens, and then finds nothing to do', async () => {
    const applied = await run(['--apply']);
    expect(applied).toMatchObject({ code: 0, text: expect.stringContaining('Applied.') });
    const secrets = applied.text.match(tokenPattern) ?? [];
    const { tokens } = bodyOf('/api/admin/api-tokens') as { tokens: { type: string }[] };
    expect(secrets).toHaveLength(tokens.filter(({ type }) => type !== 'admin').length);
    expect(secrets).toHaveLength(9);
    expect((await server().client(firstOf(secrets)).call('GET /api/client/features')).status).toBe(200);

    const { segments: theirs } = bodyOf('/api/admin/segments') as { segments: Segments };
    const { segments } = (await get('GET /api/admin/segments')) as { segments: Segments };
    const constraints = (all: Segments) => all.map((segment) => [segment.name, segment.constraints]).toSorted();
    expect(constraints(segments)).toEqual(constraints(theirs));
    const flags = unleash().flags() as unknown as Flag[];
    expect(flags).toHaveLength(70);
    for (const flag of flags) {
      const path = 'GET /api/admin/projects/:projectId/features/:featureName';
      const moved = await get(path, { projectId: 'default', featureName: flag.name });
      expect(gist(moved, segments)).toEqual(gist(flag, theirs));
    }
    const tagged = await get('GET /api/admin/features/:featureName/tags', { featureName: 'shape-a' });
    expect(tagged.tags).toMatchObject([{ type: 'simple', value: 'bulk2' }]);
    const names = (list: readonly Named[]) => list.map(({ name }) => name).toSorted();
    expect(names(await get('GET /api/admin/context'))).toEqual(
      expect.arrayContaining(names(bodyOf('/api/admin/context') as Named[])),
    );
    const { strategies } = bodyOf('/api/admin/strategies') as { strategies: Named[] };
    expect(names((await get('GET /api/admin/strategies')).strategies)).toEqual(
      expect.arrayContaining(names(strategies)),
    );
    const { tags } = bodyOf('/api/admin/tags') as { tags: object[] };
    for (const tag of tags)
      expect((await get('GET /api/admin/tags')).tags).toContainEqual(expect.objectContaining(tag));
    const { users } = await get('GET /api/admin/user-admin');
    expect(users).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'Ada Löwe', email: 'ada@example.com', rootRole: 1 }),
        expect.objectContaining({ name: 'Bob', username: 'bob', rootRole: 2 }),
        expect.objectContaining({ email: 'viewer@example.com', rootRole: 3 }),
      ]),
    );

    const before = await lastEventId(server());
    const again = await run(['--apply']);
    expect(again).toMatchObject({ code: 0, text: expect.stringContaining('No changes.') });
    expect(await lastEventId(server())).toBe(before);
    expect(again.text).not.toMatch(tokenPattern);
  }, 120_000);

  it('reads all pages of a search, and long lists', async () => {
    const range = (length: number) => Array.from({ length }, (_, index) => String(index).padStart(3, '0'));
    const add = (path: string, key: string, items: readonly object[]) =>
      change(path, (old: Record<string, object[]>) => ({ ...old, [key]: [...(old[key] ?? []), ...items] }));
    const flag = bodyOf('/api/admin/projects/default/features/never-on') as Flag;
    for (const id of range(250)) {
      const name = `paged-${id}`;
      unleash().answers[`/api/admin/projects/default/features/${name}`] = { status: 200, body: { ...flag, name } };
    }
    add(
      '/api/admin/segments',
      'segments',
      range(130).map((id) => ({ id: 1000 + Number(id), name: `paged-${id}`, constraints: [] })),
    );
    change('/api/admin/context', (old: object[]) => [...old, ...range(130).map((id) => ({ name: `paged-${id}` }))]);
    add(
      '/api/admin/tags',
      'tags',
      range(130).map((id) => ({ type: 'simple', value: `paged-${id}` })),
    );
    add(
      '/api/admin/tag-types',
      'tagTypes',
      range(130).map((id) => ({ name: `paged-${id}` })),
    );
    add(
      '/api/admin/strategies',
      'strategies',
      range(130).map((id) => ({ name: `paged-${id}`, editable: true, parameters: [] })),
    );
    add(
      '/api/admin/user-admin',
      'users',
      range(130).map((id) => ({ username: `paged-${id}`, rootRole: 3 })),
    );
    add(
      '/api/admin/api-tokens',
      'tokens',
      range(130).map((id) => ({
        tokenName: `paged-${id}`,
        type: 'client',
        environment: 'development',
        projects: ['*'],
      })),
    );
    unleash().pageSize = 60;
    const { code, text } = await run(['--apply']);
    expect([code, text]).toEqual([0, expect.stringContaining('Applied.')]);
    expect(unleash().requests.filter((request) => request.endsWith('/search/features'))).toHaveLength(7);
    const count = (all: readonly { readonly name?: string }[], key = 'name') =>
      all.filter((entity) => String(entity[key as 'name']).startsWith('paged-')).length;
    const { features } = await get('GET /api/admin/projects/:projectId/features', { projectId: 'default' });
    expect([features.length, count(features)]).toEqual([320, 250]);
    expect(count((await get('GET /api/admin/segments')).segments)).toBe(130);
    expect(count(await get('GET /api/admin/context'))).toBe(130);
    expect(count((await get('GET /api/admin/tags')).tags, 'value')).toBe(130);
    expect(count((await get('GET /api/admin/tag-types')).tagTypes)).toBe(130);
    expect(count((await get('GET /api/admin/strategies')).strategies)).toBe(130);
    expect(count((await get('GET /api/admin/user-admin')).users, 'username')).toBe(130);
    expect(count((await get('GET /api/admin/api-tokens')).tokens, 'tokenName')).toBe(130);
  }, 120_000);

  it('moves variants of flags and all environments, and follows what changes in Unleash', async () => {
    const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default', overrides: [] }];
    const flag = '/api/admin/projects/default/features/never-on';
    change(`${flag}/environments/development/variants`, () => ({ version: 1, variants }));
    change('/api/admin/environments', ({ environments }: { environments: object[] }) => ({
      environments: [...environments, { name: 'staging', type: 'test', enabled: true, sortOrder: 9 }],
    }));
    change('/api/admin/projects/default/overview', (old: { environments: object[] }) => ({
      ...old,
      environments: [...old.environments, { environment: 'staging' }],
    }));
    const staging = { name: 'staging', enabled: true, strategies: [{ name: 'default', parameters: {}, id: '1' }] };
    change(flag, (old: Flag) => ({ ...old, environments: [...old.environments, staging] }));
    expect(await run(['--apply'])).toMatchObject({ code: 0 });
    const params = { projectId: 'default', featureName: 'never-on' };
    const moved: Flag = await get('GET /api/admin/projects/:projectId/features/:featureName', params);
    expect(moved.environments.find(({ name }) => name === 'staging')).toMatchObject({
      enabled: true,
      strategies: [{ name: 'default' }],
    });
    const own = await get(
      'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants',
      { ...params, environment: 'development' },
    );
    expect(own.variants).toMatchObject([{ name: 'blue', weight: 1000 }]);
    change(flag, (old: Flag) => ({ ...old, description: 'Changed since' }));
    const { code, text } = await run();
    expect(code).toBe(2);
    expect(text).toContain('description: off in all → Changed since');
    expect(text).toContain('0 to create, 1 to change, 0 to archive.');
  }, 120_000);

  it('moves naming patterns and link templates of projects, unless flags or URLs contradict them', async () => {
    const linkTemplates = [{ title: 'Issue', urlTemplate: 'https://example.com/{{feature}}' }];
    const settings = (featureNaming: object, templates: readonly object[]) =>
      change('/api/admin/projects/default/overview', (old: object) => ({
        ...old,
        featureNaming,
        linkTemplates: templates,
      }));
    const overview = async () => await get('GET /api/admin/projects/:projectId/overview', { projectId: 'default' });
    settings({ pattern: 'only-[a-z]+', example: 'only-a', description: null }, [{ urlTemplate: 'javascript:1' }]);
    const refused = await run(['--apply']);
    expect(refused.text).toContain('existing flags do not match them: default.');
    expect(refused.text).toContain('or more than 10: default.');
    expect(await overview()).toMatchObject({ featureNaming: { pattern: null }, linkTemplates: [] });
    const featureNaming = { pattern: '.+', example: 'any', description: 'Any name' };
    settings(featureNaming, linkTemplates);
    expect((await run(['--apply'])).text).toContain('Applied.');
    expect(await overview()).toMatchObject({ featureNaming, linkTemplates });
    expect((await run()).text).toContain('No changes.');
  }, 120_000);

  it('gives allowed names to what has others, lists them, and moves the rest', async () => {
    const constraint = { contextName: 'with space', operator: 'IN', values: ['a b'] };
    change('/api/admin/context', (old: object[]) => [...old, { name: 'with space' }, { name: 'with_space' }]);
    change('/api/admin/tag-types', ({ tagTypes }: { tagTypes: object[] }) => ({
      tagTypes: [...tagTypes, { name: 'x' }],
    }));
    change('/api/admin/features/never-on/tags', () => ({ tags: [{ type: 'x', value: '1' }] }));
    change('/api/admin/projects/default/features/never-on', (old: Flag) => ({
      ...old,
      environments: [
        { name: 'development', enabled: true, strategies: [{ name: 'default', constraints: [constraint] }] },
      ],
    }));
    const { code, text } = await run(['--apply']);
    expect(code).toBe(0);
    expect(text).toContain('    "with space" → with_space_2');
    expect(text).toMatch(/Types of tags get other names:\n {4}"x" → x_/);
    expect(text).toMatch(/Tags get other values:\n {4}"1" → 1_/);
    const params = { projectId: 'default', featureName: 'never-on' };
    const moved = await get('GET /api/admin/projects/:projectId/features/:featureName', params);
    expect(moved.environments[0].strategies).toMatchObject([{ constraints: [constraint] }]);
    expect((await get('GET /api/admin/features/:featureName/tags', params)).tags).toMatchObject([
      { type: 'x_', value: '1_' },
    ]);
    expect((await run()).text).toContain('No changes.');
  }, 120_000);
});
