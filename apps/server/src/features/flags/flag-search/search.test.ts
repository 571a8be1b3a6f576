import { beforeAll, describe, expect, it } from 'vitest';
import { author } from '#testing/database.ts';
import { addStrategy, freshName, givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { asNewUser } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { flagSearchScenarios } from './flag-search.scenarios.ts';

const server = useServer();
const dayMs = 24 * 60 * 60 * 1000;
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
let begun = 0;
let project = '';
let other = '';
let archived = '';
/** Full flag names by their prefixes. */
const full: Record<string, string> = {};

/** Returns the names of the flags found, without their unique suffixes. Checks that the total is their number. */
async function found(query: Record<string, string | number>): Promise<string[]> {
  const reply = await server().admin.call('GET /api/admin/search/features', {
    query: { project: `IS_ANY_OF:${project},${other}`, sortBy: 'name', ...query },
  });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.total).toBe(reply.json.features.length);
  return reply.json.features.map(({ name }: { name: string }) => name.split('.')[0]);
}

async function flag(name: string, more: object = {}, projectId = project): Promise<void> {
  full[name] = `${name}.${freshName('x')}`;
  await givenFlag(server(), { name: full[name], ...more }, projectId);
  server().clock.advance(dayMs);
}

beforeAll(async () => {
  project = await givenProject(server());
  other = await givenProject(server());
  begun = server().clock.now();
  const tags = (...values: string[]) => ({ tags: values.map((value) => ({ type: 'simple', value })) });
  await flag('beta', { type: 'operational', description: 'Pays 100% by card', ...tags('pay', 'web') });
  await flag('alpha', { type: 'experiment', ...tags('pay') });
  await flag('delta', { description: 'Über die Post, für Österreich', ...tags('team:a/b, c') }, other);
  await flag('gamma', { type: 'kill-switch' });
  await server().admin.call('POST /api/admin/projects/:projectId/stale', {
    params: { projectId: project },
    body: { features: [full['alpha']], stale: true },
  });
  await server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on', {
    params: { projectId: project, featureName: full['gamma'] ?? '', environment: 'development' },
  });
  await server().app.database.writeQuietly('last seen', author, (tx) =>
    tx.db
      .updateTable('features')
      .set({ last_seen_at: begun })
      .where('name', '=', full['beta'] ?? '')
      .execute(),
  );
  archived = (await givenArchived(server(), project)).featureName;
});

describe('routes of the flag search', () => testScenarios(server, flagSearchScenarios));

describe('GET /api/admin/search/features', () => {
  it.each<[Record<string, string>, string[]]>([
    [{}, ['alpha', 'beta', 'delta', 'gamma']],
    [{ query: 'AMM' }, ['gamma']],
    [{ query: 'by card' }, ['beta']],
    [{ query: '100%' }, ['beta']],
    [{ query: '0%b' }, []],
    [{ query: 'simple:web' }, ['beta']],
    [{ query: 'Über' }, ['delta']],
    [{ query: 'ÜBER DIE POST, FÜR ö' }, ['delta']],
    [{ query: '  über ' }, ['delta']],
    [{ query: ' ', tag: 'INCLUDE:simple:web' }, ['beta']],
    [{ tag: 'INCLUDE:simple:team:a/b, c' }, ['delta']],
    [{ tag: 'INCLUDE_ANY_OF:simple:team:a/b, c,simple:web' }, ['beta', 'delta']],
    [{ tag: 'INCLUDE:simple:team:a/b\\, c' }, ['delta']],
    [{ query: 'für Österreich' }, ['delta']],
    [{ type: 'IS:operational' }, ['beta']],
    [{ type: 'IS_NONE_OF:operational,experiment' }, ['delta', 'gamma']],
    [{ state: 'IS:stale' }, ['alpha']],
    [{ state: 'IS:active' }, ['beta', 'delta', 'gamma']],
    [{ state: 'IS_NOT:stale' }, ['beta', 'delta', 'gamma']],
    [{ createdBy: 'IS:-42' }, ['alpha', 'beta', 'delta', 'gamma']],
    [{ createdBy: 'IS_NOT:-42' }, []],
    [{ tag: 'INCLUDE:simple:pay' }, ['alpha', 'beta']],
    [{ tag: 'DO_NOT_INCLUDE:simple:pay' }, ['delta', 'gamma']],
    [{ tag: 'INCLUDE_ALL_OF:simple:pay,simple:web' }, ['beta']],
    [{ tag: 'INCLUDE_ANY_OF:simple:pay,simple:web' }, ['alpha', 'beta']],
    [{ tag: 'EXCLUDE_IF_ANY_OF:simple:pay,simple:web' }, ['delta', 'gamma']],
    [{ tag: 'EXCLUDE_ALL:simple:pay,simple:web' }, ['alpha', 'delta', 'gamma']],
    [{ status: 'development:enabled' }, ['gamma']],
    [{ status: 'production:disabled', type: 'IS:kill-switch' }, ['gamma']],
    [{ status: 'nowhere:disabled' }, []],
    [{ sortBy: 'createdAt' }, ['beta', 'alpha', 'delta', 'gamma']],
    [{ sortBy: 'createdAt', sortOrder: 'desc' }, ['gamma', 'delta', 'alpha', 'beta']],
    [{ sortBy: 'lastSeenAt', sortOrder: 'desc' }, ['beta', 'alpha', 'delta', 'gamma']],
    [{ sortBy: 'environment:development', sortOrder: 'desc' }, ['gamma', 'alpha', 'beta', 'delta']],
    [{ sortBy: 'stale', sortOrder: 'desc' }, ['alpha', 'beta', 'delta', 'gamma']],
  ])('%j finds %j', async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  it('filters by the day of creation and of the last evaluation', async () => {
    const second = day(begun + dayMs);
    expect(await found({ createdAt: `IS_ON_OR_AFTER:${second}` })).toEqual(['alpha', 'delta', 'gamma']);
    expect(await found({ createdAt: `IS_BEFORE:${second}` })).toEqual(['beta']);
    expect(await found({ lastSeenAt: `IS_BEFORE:${second}` })).toEqual(['beta']);
    expect(await found({ lastSeenAt: `IS_ON_OR_AFTER:${second}` })).toEqual([]);
  });

  it('filters by the segments that strategies use', async () => {
    const segment = await givenSegment(server());
    await addStrategy(
      server(),
      { projectId: project, featureName: full['gamma'] ?? '', environment: 'development' },
      { name: 'default', segments: [segment.id] },
    );
    expect(await found({ segment: `INCLUDE:${segment.name}` })).toEqual(['gamma']);
    expect(await found({ segment: `DO_NOT_INCLUDE:${segment.name}` })).toEqual(['alpha', 'beta', 'delta']);
    expect(await found({ segment: 'INCLUDE:nowhere' })).toEqual([]);
  });

  it("puts the caller's favorites first with favoritesFirst", async () => {
    const { headers = {} } = await asNewUser(server());
    const names = async (favoritesFirst: string) => {
      const reply = await server().anonymous.call('GET /api/admin/search/features', {
        headers,
        query: { project: `IS_ANY_OF:${project},${other}`, sortBy: 'name', favoritesFirst },
      });
      return reply.json.features.map(({ name }: { name: string }) => name.split('.')[0]);
    };
    await server().anonymous.call('POST /api/admin/projects/:projectId/features/:featureName/favorites', {
      headers,
      params: { projectId: other, featureName: full['delta'] ?? '' },
    });
    expect(await names('true')).toEqual(['delta', 'alpha', 'beta', 'gamma']);
    expect(await names('false')).toEqual(['alpha', 'beta', 'delta', 'gamma']);
  });

  it('finds either archived or active flags', async () => {
    expect(await found({ archived: 'IS:true' })).toEqual([archived]);
    expect(await found({ archived: 'IS:false' })).toHaveLength(4);
  });

  it('finds flags that match one of several status filters', async () => {
    const { json } = await server().admin.request(
      'GET',
      `/api/admin/search/features?project=IS:${project}&status=development:enabled&status=x:enabled`,
    );
    expect(json.total).toBe(1);
  });

  it('finds flags that are held in an environment, and those that are not', async () => {
    const flag = { projectId: project, featureName: full['beta'] ?? '', environment: 'development' };
    const { id } = await givenHold(server(), flag);
    expect(await found({ held: 'IS:true' })).toEqual(['beta']);
    expect(await found({ held: 'IS:false' })).not.toContain('beta');
    await releaseHold(server(), flag, id);
    expect(await found({ held: 'IS:true' })).toEqual([]);
  });

  it('answers one page and the total', async () => {
    const { json } = await server().admin.call('GET /api/admin/search/features', {
      query: { project: `IS:${project}`, sortBy: 'name', offset: 1, limit: 1 },
    });
    expect(json).toMatchObject({ total: 3, features: [{ name: full['beta'] }] });
  });

  it('finds flags older than the lifetime of their type as potentially stale', async () => {
    server().clock.advance(8 * dayMs);
    expect(await found({ state: 'IS:potentially-stale' })).toEqual(['beta']);
    expect(await found({ state: 'IS_ANY_OF:stale,potentially-stale' })).toEqual(['alpha', 'beta']);
    expect(await found({ state: 'IS:active' })).toEqual(['delta', 'gamma']);
  });

  it.each<[string, Record<string, string>]>([
    ['type', { type: 'IS:nonsense' }],
    ['type', { type: 'release' }],
    ['type', { type: 'INCLUDE:release' }],
    ['state', { state: 'IS:asleep' }],
    ['createdBy', { createdBy: 'IS:me' }],
    ['tag', { tag: 'INCLUDE:pay' }],
    ['project', { project: 'IS: ,' }],
    ['createdAt', { createdAt: 'IS_BEFORE:2026-02-30' }],
    ['lastSeenAt', { lastSeenAt: 'IS:2026-02-20' }],
    ['status', { status: 'development:maybe' }],
    ['archived', { archived: 'IS:perhaps' }],
    ['held', { held: 'IS:perhaps' }],
    ['sortBy', { sortBy: 'color' }],
    ['sortOrder', { sortOrder: 'up' }],
  ])('rejects an invalid %s: %j', async (path, query) => {
    const reply = await server().admin.call('GET /api/admin/search/features', { query });
    expect(reply.status).toBe(400);
    expect(reply.json.details[0].path).toMatch(new RegExp(`^${path}`));
  });
});

describe('paging through a search with a cursor', () => {
  const page = async (query: Record<string, string | number>) =>
    server().admin.call('GET /api/admin/search/features', {
      query: { project: `IS_ANY_OF:${project},${other}`, limit: 1, ...query },
    });

  it.each(['name', 'type', 'project', 'stale', 'createdAt', 'lastSeenAt', 'environment:development'])(
    'finds each flag once, ordered by %s, ascending and descending, with and without favorites first',
    async (sortBy) => {
      for (const sortOrder of ['asc', 'desc']) {
        for (const favoritesFirst of ['true', 'false']) {
          const order = { sortBy, sortOrder, favoritesFirst };
          const whole = (await page({ ...order, limit: 100 })).json;
          expect(whole.next).toBeNull();
          const names: string[] = [];
          for (let cursor: string | null = ''; cursor !== null; ) {
            const reply = await page({ ...order, ...(cursor === '' ? {} : { cursor }) });
            expect(reply.status, reply.text).toBe(200);
            expect(reply.json.total).toBe(whole.total);
            names.push(...reply.json.features.map(({ name }: { name: string }) => name));
            cursor = reply.json.next;
          }
          expect(names).toEqual(whole.features.map(({ name }: { name: string }) => name));
        }
      }
    },
  );

  it('continues at the same position when the last flag of the page is archived', async () => {
    const gone = await givenFlag(server(), { name: `aaa.${freshName('x')}` }, project);
    const { json } = await page({ sortBy: 'name' });
    expect(json.features[0].name).toBe(gone.featureName);
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: gone });
    expect((await page({ sortBy: 'name', cursor: json.next })).json.features[0].name).toBe(full['alpha']);
  });

  it('rejects an invalid cursor, a cursor of another order, and a cursor with an offset', async () => {
    const { next } = (await page({ sortBy: 'name' })).json;
    const made = Buffer.from(JSON.stringify(['name asc ', 1, 7, 'x'])).toString('base64url');
    for (const query of [
      { sortBy: 'name', cursor: 'nonsense' },
      { sortBy: 'name', cursor: made },
      { sortBy: 'type', cursor: next },
      { sortBy: 'name', sortOrder: 'desc', cursor: next },
      { sortBy: 'name', cursor: next, offset: 1 },
    ]) {
      const reply = await page(query);
      expect(reply.status).toBe(400);
      expect(reply.json.details).toMatchObject([{ path: 'cursor' }]);
    }
  });
});

describe('a search result', () => {
  it('has the segments of the flag and whether the flag is a parent or a child', async () => {
    const projectId = await givenProject(server());
    const [first, second] = [await givenSegment(server()), await givenSegment(server())];
    const [parent, child, alone] = [
      await givenFlag(server(), {}, projectId),
      await givenFlag(server(), {}, projectId),
      await givenFlag(server(), {}, projectId),
    ];
    for (const [environment, segments] of [
      ['development', [second.id, first.id]],
      ['production', [first.id]],
    ] as const) {
      await addStrategy(server(), { ...child, environment }, { name: 'default', segments });
    }
    await server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/dependencies', {
      params: child,
      body: { feature: parent.featureName },
    });
    const { json } = await server().admin.call('GET /api/admin/search/features', {
      query: { project: `IS:${projectId}` },
    });
    const about = new Map(
      json.features.map((flag: { name: string; dependencyType: unknown; segments: unknown }) => [
        flag.name,
        [flag.dependencyType, flag.segments],
      ]),
    );
    expect(about.get(parent.featureName)).toEqual(['parent', []]);
    expect(about.get(child.featureName)).toEqual(['child', [first.name, second.name].toSorted()]);
    expect(about.get(alone.featureName)).toEqual([null, []]);
  });
});
