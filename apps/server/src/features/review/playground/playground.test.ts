import { playgroundRoutes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { givenCaller, giveRoles } from '#testing/access.ts';
import type { ApiClient } from '#testing/client.ts';
import {
  addStrategy,
  type FlagEnvironmentParams,
  givenDefinition,
  givenDependency,
  givenFlag,
  givenFlagIn,
  givenProject,
  switchFlag,
} from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';
import { playgroundScenarios } from './playground.scenarios.ts';

const server = useServer();
const simple = 'POST /api/admin/playground';
const advanced = 'POST /api/admin/playground/advanced';

describe('the playground', () => {
  testScenarios(server, playgroundScenarios);

  /** Calls the route and validates the response with the schema of the contract. */
  async function ask(body: object, client: ApiClient = server().admin) {
    const reply = await client.call(simple, { body: { environment: 'development', ...body } });
    expect(reply.status, reply.text).toBe(200);
    const schema = playgroundRoutes[simple].answers[200].schema as z.ZodType;
    expect(schema.safeParse(reply.json).error).toBeUndefined();
    return reply.json;
  }

  async function explain({ projectId, featureName }: FlagEnvironmentParams, context: object = {}) {
    const { features } = await ask({ projects: [projectId], context: { appName: 'a test', ...context } });
    return features.find(({ name }: { name: string }) => name === featureName);
  }

  async function switchOn(params: FlagEnvironmentParams): Promise<void> {
    await switchFlag(server(), params, 'on');
  }

  it.each([
    ['Smith\\, Inc', ['Smith, Inc']],
    ['Smith\\, Inc, Jones ,,Jones', ['Smith, Inc', 'Jones']],
    ['a\\\\,b', ['a\\', 'b']],
    ['C:\\x\\y', ['C:\\x\\y']],
  ])('takes the values %s as %j in the advanced playground', async (text, values) => {
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, {
      name: 'default',
      constraints: [{ contextName: 'company', operator: 'IN', values: values.slice(-1) }],
    });
    await switchOn(params);
    const body = {
      environments: ['development'],
      projects: [params.projectId],
      context: { appName: 'a test', properties: { company: text } },
    };
    const { json } = await server().admin.call('POST /api/admin/playground/advanced', { body });
    const { environments } = json.features.find(({ name }: { name: string }) => name === params.featureName);
    expect(
      environments.development.map((found: { context: { properties: object }; isEnabled: boolean }) => [
        found.context.properties,
        found.isEnabled,
      ]),
    ).toEqual(values.map((company, index) => [{ company }, index === values.length - 1]));
  });

  it('shows the result of each constraint of strategies and segments', async () => {
    const params = await givenFlagIn(server());
    const segment = await givenSegment(server(), {
      constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    });
    const strategyId = await addStrategy(server(), params, {
      name: 'flexibleRollout',
      title: 'Europe',
      parameters: { rollout: '100', stickiness: 'default', groupId: 'g' },
      constraints: [{ contextName: 'userId', operator: 'STR_STARTS_WITH', values: ['a'] }],
      segments: [segment.id],
      variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
    });
    await switchOn(params);
    const edit = `/projects/${params.projectId}/features/${params.featureName}/strategies/edit?environmentId=development&strategyId=${strategyId}`;

    expect(await explain(params, { userId: 'ann', region: 'eu' })).toMatchObject({
      isEnabled: true,
      isEnabledInCurrentEnvironment: true,
      variant: { name: 'blue', enabled: true, feature_enabled: true },
      strategies: {
        result: true,
        data: [
          {
            id: strategyId,
            title: 'Europe',
            disabled: false,
            result: {
              evaluationStatus: 'complete',
              enabled: true,
              variant: { name: 'blue' },
              variants: [{ name: 'blue' }],
            },
            constraints: [{ contextName: 'userId', operator: 'STR_STARTS_WITH', values: ['a'], result: true }],
            segments: [{ id: segment.id, name: segment.name, result: true, constraints: [{ result: true }] }],
            links: { edit },
          },
        ],
      },
    });
    expect(await explain(params, { userId: 'bob', properties: { region: 'us' } })).toMatchObject({
      isEnabled: false,
      strategies: {
        result: false,
        data: [
          {
            result: { evaluationStatus: 'complete', enabled: false, variant: null },
            constraints: [{ result: false }],
            segments: [{ result: false, constraints: [{ result: false }] }],
          },
        ],
      },
    });
  });

  it('shows the results of strategies where the flag is off', async () => {
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, { name: 'default' });
    expect(await explain(params)).toMatchObject({
      isEnabled: false,
      isEnabledInCurrentEnvironment: false,
      strategies: { result: true, data: [{ result: { enabled: true } }] },
    });
  });

  it('shows a hold and the configured state under it', async () => {
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, { name: 'default' });
    await switchOn(params);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await givenHold(server(), params, { effect: 'off', reason: 'too many errors', expiresAt });
    expect(await explain(params)).toMatchObject({
      isEnabled: false,
      isEnabledInCurrentEnvironment: false,
      isConfiguredOn: true,
      lease: { id, effect: 'off', reason: 'too many errors', expiresAt, heldBy: { kind: 'person', name: 'admin' } },
      strategies: { data: [{ result: { enabled: true } }] },
    });
    await releaseHold(server(), params, id);
    expect(await explain(params)).toMatchObject({ isEnabled: true, isConfiguredOn: true, lease: null });
  });

  it('shows a hold that does not change the result', async () => {
    const params = await givenFlagIn(server());
    await givenHold(server(), params);
    expect(await explain(params)).toMatchObject({ isConfiguredOn: false, lease: { effect: 'off' } });
    expect(await explain(await givenFlagIn(server()))).toMatchObject({ isConfiguredOn: false, lease: null });
  });

  it('shows disabled strategies in order, as unevaluated', async () => {
    const params = await givenFlagIn(server());
    const segment = await givenSegment(server());
    await addStrategy(server(), params, { name: 'default', disabled: true, segments: [segment.id] });
    await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds: 'ann' } });
    await switchOn(params);
    const shown = await explain(params, { userId: 'bob' });
    expect(shown).toMatchObject({ isEnabled: false, strategies: { result: false } });
    expect(shown.strategies.data).toMatchObject([
      {
        disabled: true,
        result: { evaluationStatus: 'unevaluated', enabled: 'unknown' },
        segments: [{ id: segment.id }],
      },
      { disabled: false, name: 'userWithId', result: { evaluationStatus: 'complete', enabled: false } },
    ]);
  });

  it('shows a custom strategy as unknown unless a constraint fails', async () => {
    const { name } = await givenDefinition(server());
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, {
      name,
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['ann'] }],
    });
    await switchOn(params);
    expect((await explain(params, { userId: 'ann' })).strategies).toMatchObject({
      result: 'unknown',
      data: [{ result: { evaluationStatus: 'incomplete', enabled: 'unknown' } }],
    });
    expect((await explain(params, { userId: 'bob' })).strategies).toMatchObject({
      result: false,
      data: [{ result: { evaluationStatus: 'incomplete', enabled: false } }],
    });
  });

  it('shows an unsatisfied dependency', async () => {
    const params = { ...(await givenDependency(server())), environment: 'development' };
    await switchOn(params);
    expect(await explain(params)).toMatchObject({
      isEnabled: false,
      hasUnsatisfiedDependency: true,
      strategies: { result: true },
    });
    await switchOn({ ...params, featureName: params.parent });
    expect(await explain(params)).toMatchObject({ isEnabled: true, hasUnsatisfiedDependency: false });
  });

  it('uses the server time when the context has no currentTime', async () => {
    const params = await givenFlagIn(server());
    const value = new Date(server().clock.now() + 60_000).toISOString();
    await addStrategy(server(), params, {
      name: 'default',
      constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value }],
    });
    await switchOn(params);
    expect((await explain(params)).isEnabled).toBe(false);
    expect((await explain(params, { currentTime: '2098-01-01T00:00:00Z' })).isEnabled).toBe(true);
  });

  it('gives the same results as the frontend API', async () => {
    const params = await givenFlagIn(server());
    const parameters = { rollout: '40', stickiness: 'userId', groupId: params.featureName };
    await addStrategy(server(), params, { name: 'flexibleRollout', parameters });
    await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds: 'user-3,user-7' } });
    await switchOn(params);
    const sdk = await givenSdk(server(), { type: 'frontend' });
    const seen = new Set<boolean>();
    for (let n = 0; n < 20; n++) {
      const userId = `user-${n}`;
      const { toggles } = (await sdk.call('GET /api/frontend', { query: { userId } })).json;
      const isOn = toggles.some(({ name }: { name: string }) => name === params.featureName);
      expect((await explain(params, { userId })).isEnabled, userId).toBe(isOn);
      seen.add(isOn);
    }
    expect(seen.size).toBe(2);
  });

  it('hides private projects from users who may not see them', async () => {
    const projectId = await givenProject(server(), { mode: 'private' });
    const { featureName } = await givenFlag(server(), {}, projectId);
    const names = async (client: ApiClient, projects: unknown) =>
      (await ask({ projects, context: { appName: 'x' } }, client)).features.map(({ name }: { name: string }) => name);
    const caller = await givenCaller(server());
    expect(await names(caller.client, '*')).not.toContain(featureName);
    expect(await names(caller.client, [projectId])).toEqual([]);
    await giveRoles(server(), projectId, [5], { users: [caller.id] });
    expect(await names(caller.client, '*')).toContain(featureName);
    expect(await names(server().admin, [projectId])).toEqual([featureName]);
  });

  it('answers many flags in several environments according to the contract', async () => {
    const projectId = await givenProject(server());
    for (let n = 0; n < 30; n++) await givenFlag(server(), {}, projectId);
    const body = {
      environments: ['development', 'production'],
      projects: [projectId],
      context: { appName: 'x', userId: '1,2' },
    };
    const reply = await server().admin.call(advanced, { body });
    const schema = playgroundRoutes[advanced].answers[200].schema as z.ZodType;
    expect(schema.safeParse(reply.json).error).toBeUndefined();
    expect(reply.json.features).toHaveLength(30);
    expect(reply.json.features[0].environments.production).toHaveLength(2);
  });
});
