import { describe, expect, it } from 'vitest';
import { givenActionPlace, setBody } from '#testing/actions.ts';
import { addStrategy, type FlagEnvironmentParams, givenFlagIn, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';

const server = useServer();
const strategiesRoute =
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies' as const;

/** Returns a constraint with a pattern that matches any text. The size of the compiled pattern grows with `count`. */
const upTo = (count: number) => ({ contextName: 'userId', operator: 'REGEX', value: `x{0,${count}}` });

/** Creates a flag that is on for contexts that meet the constraints. */
async function givenConstrained(constraints: readonly object[], project?: string): Promise<FlagEnvironmentParams> {
  const params = await givenFlagIn(server(), 'development', project ?? (await givenProject(server())));
  await addStrategy(server(), params, { name: 'default', constraints });
  const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  expect((await server().admin.call(on, { params })).status).toBe(200);
  return params;
}

async function overBudget(): Promise<number> {
  const { text } = await server().admin.request('GET', '/metrics');
  return Number(/^evaluation_over_budget_total (\d+)$/m.exec(text)?.[1]);
}

const long = 'x'.repeat(9900);
const shortened = (text: string) => text.slice(0, 40);

describe('an evaluation over its budget', () => {
  it('treats the constraint as not met in the frontend API, and counts it in the metrics', async () => {
    const { featureName, projectId } = await givenConstrained([upTo(100)]);
    const sdk = await givenSdk(server(), { type: 'frontend', projects: [projectId] });
    const toggles = async (userId: string) =>
      (await sdk.call('POST /api/frontend', { body: { context: { userId } } })).json;
    expect(await toggles(shortened(long))).toMatchObject({ toggles: [{ name: featureName }] });
    const before = await overBudget();
    expect(await toggles(long)).toEqual({ toggles: [] });
    expect(await overBudget()).toBe(before + 1);
  });

  it('treats the constraint as not met in OFREP, for one flag and for all flags', async () => {
    const { featureName, projectId } = await givenConstrained([upTo(100)]);
    const sdk = await givenSdk(server(), { projects: [projectId] });
    const of = async (targetingKey: string) => {
      const body = { context: { targetingKey } };
      const single = await sdk.call('POST /ofrep/v1/evaluate/flags/:key', { params: { key: featureName }, body });
      const all = await sdk.call('POST /ofrep/v1/evaluate/flags', { body });
      return [single.json.value, all.json.flags[0].value];
    };
    expect(await of(shortened(long))).toEqual([true, true]);
    expect(await of(long)).toEqual([false, false]);
  });

  it('limits all flags of a request together, although each flag alone is within its budget', async () => {
    const projectId = await givenProject(server());
    const flags: FlagEnvironmentParams[] = [];
    for (let left = 25; left > 0; left--) flags.push(await givenConstrained([upTo(48)], projectId));
    const sdk = await givenSdk(server(), { projects: [projectId] });
    const body = { context: { targetingKey: long } };
    const { json } = await sdk.call('POST /ofrep/v1/evaluate/flags', { body });
    const values = json.flags.map(({ value }: { value: boolean }) => value);
    expect(values.filter(Boolean)).toHaveLength(21);
    expect(values.slice(0, 21)).not.toContain(false);
    for (const { featureName } of flags) {
      const single = await sdk.call('POST /ofrep/v1/evaluate/flags/:key', { params: { key: featureName }, body });
      expect(single.json.value).toBe(true);
    }
    const frontend = await givenSdk(server(), { type: 'frontend', projects: [projectId] });
    const reply = await frontend.call('POST /api/frontend', { body: { context: { userId: long } } });
    expect(reply.json.toggles).toHaveLength(21);
  });

  it('is shown in the playground, also for disabled strategies', async () => {
    const { featureName, ...place } = await givenConstrained([upTo(100), { ...upTo(10), contextName: 'sessionId' }]);
    const disabled = { name: 'default', disabled: true, constraints: [upTo(100)] };
    await addStrategy(server(), { featureName, ...place }, disabled);
    const context = { appName: 'a', userId: long, sessionId: 'x' };
    const body = { environment: 'development', projects: [place.projectId], context };
    const { json } = await server().admin.call('POST /api/admin/playground', { body });
    const [strategy, off] = json.features[0].strategies.data;
    expect(json.features[0].isEnabled).toBe(false);
    expect(strategy).toMatchObject({
      result: { enabled: false },
      constraints: [{ result: false, overBudget: true }, { result: true }],
    });
    expect(strategy.constraints[1]).not.toHaveProperty('overBudget');
    expect(off).toMatchObject({ disabled: true, constraints: [{ result: false, overBudget: true }] });
    const advanced = { environments: ['development'], projects: [place.projectId], context };
    const reply = await server().admin.call('POST /api/admin/playground/advanced', { body: advanced });
    expect(reply.json.features[0].environments.development[0].strategies.data).toMatchObject([strategy, off]);
  });

  it('is shown in the dry run of an action filter when the payload is too long', async () => {
    const place = await givenActionPlace(server());
    const many = Array.from({ length: 24 }, (_, index) => `${index}`.padEnd(100, 'y'));
    const match = {
      source: 'signal-endpoint',
      sourceId: place.endpoint.id,
      payload: { text: { operator: 'STR_CONTAINS', values: ['x', ...many] } },
    };
    const dryRun = 'POST /api/admin/projects/:projectId/actions/rehearse' as const;
    const test = async (text: string) => {
      const body = { set: setBody(place, { match }), payload: { text } };
      const reply = await server().admin.call(dryRun, { params: { projectId: place.projectId }, body });
      expect(reply.status, reply.text).toBe(200);
      return reply.text;
    };
    expect(await test(shortened(long))).toContain('"passes":true');
    expect(await test('x'.repeat(90_000))).toContain('exceeds the work limit');
  });
});

describe('the patterns of a flag', () => {
  const add = (params: FlagEnvironmentParams, constraints: readonly object[]) =>
    server().admin.call(strategiesRoute, { params, body: { name: 'default', constraints } });

  it('have a limit of their total size, in one strategy and over all strategies of an environment', async () => {
    const params = await givenFlagIn(server());
    const large = upTo(999);
    const refused = await add(params, Array(6).fill(large));
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ name: 'ExceedsLimitError', details: [{ path: 'constraints' }] });
    expect(refused.text).toContain('These have 5994.');
    expect((await add(params, Array(3).fill(large))).status).toBe(200);
    const over = await add(params, Array(3).fill(large));
    expect([over.status, over.json.name]).toEqual([400, 'ExceedsLimitError']);
    expect((await add(params, Array(2).fill(large))).status).toBe(200);
  });

  it('have a limit of their total size in a segment', async () => {
    const body = { name: 'many-patterns', constraints: Array(6).fill(upTo(999)) };
    const refused = await server().admin.call('POST /api/admin/segments', { body });
    expect([refused.status, refused.json.name]).toEqual([400, 'ExceedsLimitError']);
  });
});
