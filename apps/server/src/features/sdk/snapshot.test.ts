import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../testing/client.ts';
import { freshName } from '../../../testing/flags.ts';
import { type TestServer, useServer } from '../../../testing/server.ts';
import { givenSdk } from '../../../testing/tokens.ts';
import type { Db } from '../../storage/tx.ts';

/** One thing an administrator does; `flag` and `project` choose among a few. */
interface Step {
  readonly what: (typeof changes)[number];
  readonly flag: number;
  readonly environment: 'development' | 'production';
  readonly n: number;
}

const changes = [
  'create',
  'on',
  'off',
  'add',
  'remove',
  'disable',
  'describe',
  'tag',
  'depend',
  'undepend',
  'vary',
  'move',
  'archive',
  'revive',
  'delete',
] as const;
const step = fc.record<Step>({
  what: fc.constantFrom(...changes),
  flag: fc.nat(3),
  environment: fc.constantFrom('development' as const, 'production' as const),
  n: fc.nat(100),
});

/** Does a step by the admin API. It may be refused: then nothing has changed, and that is as good. */
async function take({ admin }: TestServer, names: readonly string[], projects: readonly string[], one: Step) {
  const featureName = names[one.flag] as string;
  const projectId = projects[one.flag % 2] as string;
  const flag = `/api/admin/projects/${projectId}/features/${featureName}`;
  const there = `${flag}/environments/${one.environment}`;
  const send = (method: string, path: string, body?: object) => admin.request(method, path, { body });
  const strategy = async () => (await send('GET', `${there}/strategies`)).json[0]?.id ?? 'none';
  const steps: Record<Step['what'], () => Promise<unknown>> = {
    create: () => send('POST', `/api/admin/projects/${projectId}/features`, { name: featureName }),
    on: () => send('POST', `${there}/on`),
    off: () => send('POST', `${there}/off`),
    add: () => send('POST', `${there}/strategies`, { name: 'flexibleRollout', parameters: { rollout: String(one.n) } }),
    remove: async () => send('DELETE', `${there}/strategies/${await strategy()}`),
    disable: async () =>
      send('PATCH', `${there}/strategies/${await strategy()}`, [
        { op: 'replace', path: '/disabled', value: one.n % 2 === 0 },
      ]),
    describe: () => send('PUT', flag, { description: `"${one.n}"`, impressionData: one.n % 2 === 0 }),
    tag: () => send('POST', `/api/admin/features/${featureName}/tags`, { type: 'simple', value: `tag-${one.n % 2}` }),
    depend: () =>
      send('POST', `${flag}/dependencies`, {
        feature: names[(one.flag + 2) % 4],
        enabled: one.n % 3 > 0,
        variants: one.n % 2 === 0 ? [] : [`variant-${one.n}`],
      }),
    vary: () => send('PUT', `${there}/variants`, one.n % 3 === 0 ? [] : [{ name: `v-${one.n}`, weight: 1000 }]),
    move: () => send('POST', `${flag}/changeProject`, { newProjectId: projects[one.n % 2] }),
    undepend: () => send('DELETE', `${flag}/dependencies`),
    archive: () => send('DELETE', flag),
    revive: () => send('POST', `/api/admin/archive/revive/${featureName}`),
    delete: () => send('DELETE', `/api/admin/archive/${featureName}`),
  };
  await steps[one.what]();
}

/** What SDKs should get, worked out anew from the tables without any of the code that serves them. */
async function rebuild(db: Db, environment: string, projects: readonly string[], tag?: string): Promise<unknown[]> {
  const flags = await db.selectFrom('features').selectAll().where('archived_at', 'is', null).execute();
  const states = await db.selectFrom('feature_environments').selectAll().execute();
  const strategies = await db.selectFrom('feature_strategies').selectAll().execute();
  const tags = await db.selectFrom('feature_tags').selectAll().execute();
  const variants = await db.selectFrom('feature_variants').selectAll().execute();
  const dependencies = await db.selectFrom('feature_dependencies').selectAll().execute();
  return flags
    .filter(({ project }) => projects.includes(project))
    .filter(({ name }) => tag === undefined || tags.some((one) => one.feature_name === name && one.value === tag))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((flag) => ({
      name: flag.name,
      type: flag.type,
      description: flag.description,
      project: flag.project,
      stale: flag.stale === 1,
      enabled: states.some((s) => s.feature_name === flag.name && s.environment === environment && s.enabled === 1),
      impressionData: flag.impression_data === 1,
      strategies: strategies
        .filter((s) => s.feature_name === flag.name && s.environment === environment && s.disabled === 0)
        .toSorted((a, b) => a.sort_order - b.sort_order || a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
        .map((s) => ({
          name: s.name,
          constraints: JSON.parse(s.constraints),
          parameters: JSON.parse(s.parameters),
          variants: JSON.parse(s.variants),
        })),
      variants: JSON.parse(
        variants.find((v) => v.feature_name === flag.name && v.environment === environment)?.variants ?? '[]',
      ),
      ...dependenciesShown(dependencies.filter(({ child }) => child === flag.name)),
    }));
}

function dependenciesShown(rows: readonly { parent: string; enabled: number; variants: string }[]) {
  const dependencies = rows.map(({ parent, enabled, variants }) => ({
    feature: parent,
    enabled: enabled === 1,
    ...(variants === '[]' ? {} : { variants: JSON.parse(variants) }),
  }));
  return dependencies.length === 0 ? {} : { dependencies };
}

describe('what is served after any changes', () => {
  const server = useServer();

  it('is what a rebuild from the database gives, and its ETag changes whenever it does', async () => {
    const projects = [freshName('project'), freshName('project')];
    for (const id of projects) await server().admin.request('POST', '/api/admin/projects', { body: { id, name: id } });
    const views = await Promise.all(
      [
        { environment: 'development', scope: projects },
        { environment: 'production', scope: projects },
        { environment: 'development', scope: projects.slice(0, 1) },
        { environment: 'production', scope: projects, tag: 'tag-1' },
      ].map(async ({ environment, scope, tag }) => {
        const sdk: ApiClient = await givenSdk(server(), { environment, projects: scope });
        return { environment, scope, tag, sdk, bodies: new Map<string, string>() };
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const names = [0, 1, 2, 3].map(() => freshName('random'));
        const beginning = names.map((_, flag): Step => ({ what: 'create', flag, environment: 'development', n: 0 }));
        for (const one of [...beginning, ...steps]) {
          await take(server(), names, projects, one);
          for (const { environment, scope, tag, sdk, bodies } of views) {
            const query = tag === undefined ? {} : { tag: `simple:${tag}` };
            const reply = await sdk.call('GET /api/client/features', { query });
            expect(reply.json.features).toEqual(await rebuild(server().app.database.db, environment, scope, tag));
            const etag = reply.headers.get('etag') ?? '';
            expect(bodies.get(etag) ?? reply.text).toBe(reply.text);
            bodies.set(etag, reply.text);
          }
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
