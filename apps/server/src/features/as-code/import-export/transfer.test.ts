import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFlagDefinitions } from '#features/flags/definitions/index.ts';
import { givenCaller } from '#testing/access.ts';
import type { ApiClient } from '#testing/client.ts';
import { givenConstraintOn, givenContextField } from '#testing/context-fields.ts';
import { addStrategy, freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { withTurnsBelow } from '#testing/longest-turn.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { transferScenarios } from './import-export.scenarios.ts';

const route = 'POST /api/admin/features-batch/import';

describe('export and import', () => {
  const server = useServer();
  testScenarios(server, transferScenarios);

  it('hides private projects from other users', async () => {
    const project = await givenProject(server(), { mode: 'private' });
    const { featureName } = await givenFlag(server(), {}, project);
    const { client } = await givenCaller(server(), 'Editor');
    const ask = async (body: object) =>
      client.call('POST /api/admin/features-batch/export', { body: { environment: 'development', ...body } });
    expect((await ask({ project })).status).toBe(404);
    expect((await ask({ features: [featureName] })).status).toBe(404);
    expect((await ask({ features: [] })).text).not.toContain(featureName);
    const body = { project, environment: 'development', data: { features: [] } };
    expect((await client.call(route, { body })).status).toBe(404);
  });

  it('reveals only the taken names of context fields and segments of private projects', async () => {
    const [hidden, own] = [await givenProject(server(), { mode: 'private' }), await givenProject(server())];
    const field = await givenContextField(server(), { project: hidden, description: 'of the field' });
    const segment = await givenSegment(server(), { project: hidden, description: 'of the segment' });
    const { client } = await givenCaller(server(), 'Editor');
    const ask = (data: object, as = client) =>
      as.call('POST /api/admin/features-batch/validate', {
        body: { project: own, environment: 'development', data: { features: [{ name: 'a-flag' }], ...data } },
      });
    const strategy = { featureName: 'a-flag', name: 'default', parameters: {} };
    const asking = (contextName: string) => ({
      featureStrategies: [{ ...strategy, constraints: [{ contextName, operator: 'IN', values: ['x'] }] }],
    });
    const [unseen, unknown] = [await ask(asking(field)), await ask(asking('unknown'))];
    const warning = { message: expect.stringContaining(`no context field ${field}`) };
    expect(unseen.json).toMatchObject({
      errors: [],
      warnings: expect.arrayContaining([expect.objectContaining(warning)]),
    });
    expect(unseen.text.replaceAll(field, 'unknown')).toBe(unknown.text);
    expect((await ask(asking(field), server().admin)).text).not.toContain('no context field');
    const taking = {
      contextFields: [{ name: field }],
      segments: [{ id: 1, name: segment.name, constraints: [] }],
      featureStrategies: [{ ...strategy, segments: [1] }],
    };
    const { json, text } = await ask(taking);
    const messages = json.errors.map(({ message }: { message: string }) => message);
    expect(messages).toContain(`the name ${field} is reserved: choose another`);
    expect(messages).toContain(`the name ${segment.name} is reserved: choose another`);
    for (const secret of [hidden, 'of the ']) expect(text).not.toContain(secret);
    const body = { project: own, environment: 'development', data: { features: [{ name: 'a-flag' }], ...taking } };
    expect((await client.call(route, { body })).status).toBe(400);
  });

  it('warns of context fields that are not declared, and exports those that decide the share of users', async () => {
    const [project, target] = [await givenProject(server()), await givenProject(server())];
    const declared = await givenContextField(server(), { stickiness: true });
    const ofVariants = await givenContextField(server(), { stickiness: true });
    const elsewhere = await givenContextField(server(), { stickiness: true });
    const params = { ...(await givenFlag(server(), {}, project)), environment: 'production' };
    const constraints = [{ contextName: 'unheardOf', operator: 'IN', values: ['x'] }];
    await addStrategy(server(), params, { name: 'flexibleRollout', parameters: { stickiness: declared }, constraints });
    await addStrategy(server(), params, { name: 'flexibleRollout', parameters: { stickiness: 'unknownSticky' } });
    for (const [environment, stickiness] of [
      ['production', ofVariants],
      ['development', elsewhere],
    ] as const)
      await server().admin.call(
        'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants',
        { params: { ...params, environment }, body: [{ name: 'blue', weight: 1000, stickiness }] },
      );
    const exporting = { environment: 'production', features: [params.featureName], downloadFile: false };
    const exported = await server().admin.call('POST /api/admin/features-batch/export', { body: exporting });
    const names = exported.json.contextFields.map(({ name }: { name: string }) => name);
    expect(new Set(names)).toEqual(new Set([declared, ofVariants]));
    const data = JSON.parse(exported.text.replaceAll(params.featureName, freshName('copy')));
    const body = { project: target, environment: 'development', data };
    const { json } = await server().admin.call('POST /api/admin/features-batch/validate', { body });
    const messages = json.warnings.map(({ message }: { message: string }) => message).join();
    expect(json.errors).toEqual([]);
    for (const name of ['unheardOf', 'unknownSticky']) expect(messages).toContain(`no context field ${name}`);
    expect((await server().admin.call(route, { body })).status).toBe(200);
  });

  it('does not export a context field of a private project with a flag that uses its name', async () => {
    const hidden = await givenProject(server(), { mode: 'private' });
    const field = await givenContextField(server(), { project: hidden, description: 'of the field' });
    const { featureName } = await givenConstraintOn(server(), field);
    const body = { environment: 'development', features: [featureName] };
    const ask = (client: ApiClient) => client.call('POST /api/admin/features-batch/export', { body });
    const { json, text } = await ask((await givenCaller(server(), 'Editor')).client);
    expect(json.contextFields).toEqual([]);
    for (const secret of [hidden, 'of the field']) expect(text).not.toContain(secret);
    expect((await ask(server().admin)).json.contextFields).toMatchObject([{ name: field, project: hidden }]);
  });

  it('uses a constant number of statements for any number of flags', async () => {
    const statements = async (names: readonly string[]) => {
      const { db, counter } = counted(server().app.database);
      expect((await loadFlagDefinitions(db, names)).size).toBe(names.length);
      return counter.statements;
    };
    const names: string[] = [];
    for (let more = 0; more < 5; more++) names.push((await givenFlag(server())).featureName);
    expect(await statements(names)).toBe(await statements(names.slice(0, 1)));
  });

  it('reaches SDKs immediately', async () => {
    const name = freshName('flag');
    const data = { features: [{ name }], featureEnvironments: [{ featureName: name, enabled: true }] };
    await server().admin.call(route, { body: { project: 'default', environment: 'development', data } });
    const token = await server().admin.call('POST /api/admin/api-tokens', {
      body: { tokenName: 'sdk', type: 'backend', environment: 'development', projects: ['*'] },
    });
    const { json } = await server().client(token.json.secret).call('GET /api/client/features');
    const flag = json.features.find((feature: { name: string }) => feature.name === name);
    expect(flag).toMatchObject({ enabled: true, strategies: [{ name: 'flexibleRollout' }] });
  });
});

describe('limits', () => {
  const server = useServer({ featureLimit: 2, strategyLimit: 1, segmentLimit: 1 });
  const into = (data: object) =>
    server().admin.call(route, { body: { project: 'default', environment: 'development', data } });

  it('apply to an import as a whole', async () => {
    const features = [1, 2, 3].map((n) => ({ name: `flag-${n}` }));
    const flags = await into({ features });
    expect([flags.status, flags.json.message]).toEqual([400, expect.stringContaining('limit of 2 flags')]);
    const featureStrategies = [1, 2].map(() => ({ name: 'default', featureName: 'flag-1' }));
    const strategies = await into({ features: features.slice(0, 1), featureStrategies });
    expect([strategies.status, strategies.json.message]).toEqual([400, expect.stringContaining('at most 1')]);
    const segments = [1, 2].map((id) => ({ id, name: `segment-${id}`, constraints: [] }));
    const using = [{ name: 'default', featureName: 'flag-1', segments: [1, 2] }];
    const both = await into({ features: features.slice(0, 1), featureStrategies: using, segments });
    expect([both.status, both.json.message]).toEqual([400, expect.stringContaining('limit of 1 segments')]);
    const params = { projectId: 'default' };
    const limited = { mode: 'open', featureLimit: 1 };
    await server().admin.call('PUT /api/admin/projects/:projectId/settings', { params, body: limited });
    const full = await into({ features: features.slice(0, 2) });
    expect([full.status, full.json.message]).toEqual([400, expect.stringContaining('of the project')]);
    const lifted = { mode: 'open', featureLimit: null };
    await server().admin.call('PUT /api/admin/projects/:projectId/settings', { params, body: lifted });
    expect((await into({ features: features.slice(0, 2) })).status).toBe(200);
  });
});

/** An arbitrary flag. */
const someFlag = fc.record({
  type: fc.constantFrom('release', 'experiment', 'kill-switch'),
  description: fc.option(fc.constantFrom('Plain', 'Ünïcödé 🏴', 'two\nlines')),
  impressionData: fc.boolean(),
  stale: fc.boolean(),
  enabled: fc.boolean(),
  tags: fc.uniqueArray(fc.constantFrom('one', 'two', "o'hara"), { maxLength: 3 }),
  links: fc.uniqueArray(fc.constantFrom('https://example.com/a', 'https://example.com/b'), { maxLength: 2 }),
  dependsOnFirst: fc.option(fc.record({ enabled: fc.boolean(), variants: fc.constantFrom([], ['a', 'b']) })),
  strategies: fc.array(
    fc.record({
      name: fc.constantFrom('default', 'flexibleRollout', 'userWithId'),
      title: fc.option(fc.constantFrom('Beta', 'Everyone')),
      disabled: fc.boolean(),
      rollout: fc.nat({ max: 100 }),
      segment: fc.boolean(),
      values: fc.array(fc.constantFrom('x', '"', '\\"'), { maxLength: 3 }),
      inverted: fc.boolean(),
      variants: fc.uniqueArray(fc.constantFrom('blue', 'red', 'green'), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  variants: fc.uniqueArray(fc.constantFrom('big', 'small'), { maxLength: 2 }),
});
type SomeFlag = typeof someFlag extends fc.Arbitrary<infer F> ? F : never;

/** Creates flags by the routes of the admin API. */
async function make(server: TestServer, projectId: string, flags: readonly SomeFlag[]): Promise<void> {
  const { admin } = server;
  const segment = await admin.call('POST /api/admin/segments', {
    body: { name: 'people', constraints: [{ contextName: 'country', operator: 'IN', values: ['x', 'y'] }] },
  });
  await admin.call('POST /api/admin/context', {
    body: {
      name: 'country',
      description: 'Of a segment',
      stickiness: true,
      legalValues: [{ value: 'x' }, { value: 'y' }],
    },
  });
  await admin.call('POST /api/admin/context', { body: { name: 'tenant', description: 'Who pays' } });
  for (const [index, flag] of flags.entries()) {
    const { type, description, impressionData, stale } = flag;
    const params = { projectId, featureName: `flag-${index}`, environment: 'development' };
    const tags = flag.tags.map((value) => ({ type: 'simple', value }));
    await givenFlag(server, { name: params.featureName, type, description, impressionData, tags }, projectId);
    const at = '/api/admin/projects/:projectId/features/:featureName' as const;
    if (stale) await admin.call(`PUT ${at}`, { params, body: { stale } });
    for (const url of flag.links) await admin.call(`POST ${at}/link`, { params, body: { url, title: url.slice(-1) } });
    if (flag.dependsOnFirst !== null && index > 0) {
      await admin.call(`POST ${at}/dependencies`, { params, body: { feature: 'flag-0', ...flag.dependsOnFirst } });
    }
    for (const strategy of flag.strategies) {
      await addStrategy(server, params, {
        name: strategy.name,
        title: strategy.title,
        disabled: strategy.disabled,
        parameters: strategy.name === 'flexibleRollout' ? { rollout: String(strategy.rollout) } : {},
        segments: strategy.segment ? [segment.json.id] : [],
        constraints: [{ contextName: 'tenant', operator: 'IN', values: strategy.values, inverted: strategy.inverted }],
        variants: strategy.variants.map((name) => ({ name, weight: 0, weightType: 'variable', stickiness: 'default' })),
      });
    }
    const variants = flag.variants.map((name) => ({ name, weight: 0, payload: { type: 'string', value: name } }));
    await admin.call(`PUT ${at}/environments/:environment/variants`, { params, body: variants });
    if (flag.enabled) await admin.call(`POST ${at}/environments/:environment/on`, { params });
  }
}

/**
 * Returns an export without the parts that differ between servers: ids, and the order of links that were added
 * together.
 */
async function exportOf(server: TestServer, project: string) {
  const body = { project, environment: 'development', wholeSegments: true };
  const { json } = await server.admin.call('POST /api/admin/features-batch/export', { body });
  return {
    ...json,
    featureStrategies: json.featureStrategies.map(
      ({ id: _, segments, ...strategy }: { id: string; segments: number[] }) => ({
        ...strategy,
        segments: segments.map((id) => json.segments.find((each: { id: number }) => each.id === id).name),
      }),
    ),
    segments: json.segments.map(({ id: _, ...segment }: { id: number }) => segment),
    links: json.links.map(({ links, ...rest }: { links: { id: string; url: string }[] }) => ({
      ...rest,
      links: links.map(({ id: _, ...link }) => link).toSorted((a, b) => a.url.localeCompare(b.url)),
    })),
  };
}

/** Returns the state of a project, which an export has other code for, without what differs between servers. */
async function stateOf(server: TestServer, project: string) {
  const { json } = await server.admin.call('GET /api/admin/state', { query: { projects: project } });
  const { pulled: _, projects, ...shared } = json;
  type Linked = { readonly links?: readonly ({ readonly url: string } | string)[] };
  const flags = Object.entries<Linked>(projects[project].flags).map(([name, { links = [], ...flag }]) => [
    name,
    { ...flag, links: links.map((link) => JSON.stringify(link)).toSorted() },
  ]);
  return { ...shared, flags: Object.fromEntries(flags) };
}

describe('an export of thousands of flags', () => {
  const server = useServer({ featureLimit: 20_000 });

  it('is imported, and exported again, in turns with other requests', async () => {
    const names = Array.from({ length: 4000 }, (_, n) => `flag-${n}`);
    const data = {
      features: names.map((name) => ({ name, type: 'release' })),
      featureStrategies: names.flatMap((featureName) =>
        [1, 2].map(() => ({ name: 'flexibleRollout', featureName, parameters: { rollout: '50' } })),
      ),
      featureEnvironments: names.map((featureName) => ({ name: featureName, featureName, enabled: true })),
      featureTags: names.map((featureName) => ({ featureName, tagType: 'simple', tagValue: 'many' })),
    };
    const ask = (path: string, body: object) => {
      const raw = Buffer.from(JSON.stringify(body));
      const headers = { 'content-type': 'application/json' };
      return withTurnsBelow(110, () =>
        server().admin.request('POST', `/api/admin/features-batch/${path}`, { raw, headers }),
      );
    };
    const imported = await ask('import', { project: 'default', environment: 'development', data });
    expect(`${imported.result.status} ${imported.result.text}`.trim()).toBe('200');
    const exported = await ask('export', { environment: 'development', features: [] });
    expect(exported.result.json.features).toHaveLength(4000);
    expect(exported.result.json.featureStrategies).toHaveLength(8000);
    // The longest turn includes the parsing of the answer by this test, in the same thread.
    expect([imported.longestTurnMs, exported.longestTurnMs].map((ms) => (ms < 110 ? 'short' : ms))).toEqual([
      'short',
      'short',
    ]);
    const logged = await server()
      .app.database.db.selectFrom('events')
      .select('data')
      .where('type', '=', 'features-exported')
      .orderBy('id')
      .execute();
    const features = exported.result.json.features.map(({ name }: { name: string }) => ({ name }));
    expect(JSON.parse(logged.at(-1)?.data ?? '')).toEqual({ features });
  }, 180_000);
});

describe('an export of any project', () => {
  it('imported into an empty server makes the same flags, and is exported unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someFlag, { minLength: 1, maxLength: 4 }), async (flags) => {
        const storages = [await createStorage(), await createStorage()] as const;
        const [first, second] = await Promise.all([startServer(storages[0]), startServer(storages[1])]);
        try {
          await make(first, 'default', flags);
          const before = await exportOf(first, 'default');
          const raw = await first.admin.call('POST /api/admin/features-batch/export', {
            body: { project: 'default', environment: 'development', wholeSegments: true },
          });
          const body = { project: 'default', environment: 'development', data: raw.json };
          const imported = await second.admin.call(route, { body });
          expect(`${imported.status} ${imported.text}`.trim()).toBe('200');
          expect(await exportOf(second, 'default')).toEqual(before);
          // A field that exports lack would be the same in both.
          const [made, source] = [await stateOf(second, 'default'), await stateOf(first, 'default')];
          expect(made.flags).toEqual(source.flags);
          if (before.segments.length > 0) expect(made).toEqual(source);
          const { json } = await second.admin.call('POST /api/admin/features-batch/validate', { body });
          expect(json).toMatchObject({ errors: [], changes: [] });
        } finally {
          await Promise.all([first.stop(), second.stop()]);
          await Promise.all(storages.map((storage) => storage.remove()));
        }
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});
