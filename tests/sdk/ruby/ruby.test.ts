import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, Unleash, UnleashEvents } from 'unleash-client';
import { afterEach, describe, expect, it } from 'vitest';
import {
  addStrategy,
  type FlagEnvironmentParams,
  freshName,
  givenEnabled,
  givenFlagIn,
} from '../../../apps/server/testing/flags.ts';
import { givenSegment } from '../../../apps/server/testing/segments.ts';
import { givenToken } from '../../../apps/server/testing/tokens.ts';
import { needing } from '../../machine/needing.ts';
import { type Program, usePrograms } from '../programs.ts';
import { useScene } from '../scene.ts';
import { rubyVersion } from './version.ts';

const soon = { timeout: 10_000, interval: 50 };

/** Strategies that SDKs of 2020 know. */
const strategies: readonly object[] = [
  { name: 'default' },
  { name: 'userWithId', parameters: { userIds: 'user-1, user-3' } },
  { name: 'remoteAddress', parameters: { IPs: '10.0.0.1,10.0.0.3' } },
  { name: 'applicationHostname', parameters: { hostNames: 'elsewhere' } },
  ...['userId', 'sessionId', 'default'].map((stickiness) => ({
    name: 'flexibleRollout',
    parameters: { rollout: '50', stickiness, groupId: `by-${stickiness}` },
  })),
  { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: 'all' } },
  { name: 'flexibleRollout', parameters: { rollout: '0', stickiness: 'default', groupId: 'none' } },
  {
    name: 'default',
    constraints: [
      { contextName: 'userId', operator: 'IN', values: ['user-1', 'user-2'] },
      { contextName: 'country', operator: 'NOT_IN', values: ['NO'] },
    ],
  },
];

const contexts: readonly Context[] = Array.from({ length: 12 }, (_, n) => ({
  userId: `user-${n}`,
  sessionId: `session-${n % 5}`,
  remoteAddress: `10.0.0.${n}`,
  properties: { country: n % 2 === 0 ? 'NO' : 'SE' },
}));

describe('the official SDK for Ruby', needing('ruby'), () => {
  const scene = useScene();
  const start = usePrograms();
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    scene.relay.forget();
  });

  async function startRuby(secret: string, appName = freshName('ruby')): Promise<Program> {
    const directory = await mkdtemp(join(tmpdir(), 'ruby-'));
    closing.push(() => rm(directory, { recursive: true }));
    const program = start('ruby', './ruby/evaluate.rb', {
      UNLEASH_URL: `${scene.relay.url}/api`,
      UNLEASH_APP_NAME: appName,
      UNLEASH_API_TOKEN: secret,
      UNLEASH_BACKUP_FILE: join(directory, 'flags.json'),
    });
    expect(await program.next()).toEqual({ version: rubyVersion });
    return program;
  }

  async function startNode(secret: string): Promise<Unleash> {
    const unleash = new Unleash({
      url: `${scene.server.url}/api/`,
      appName: freshName('node'),
      customHeaders: { authorization: secret },
      disableMetrics: true,
      storageProvider: { get: async () => undefined, set: async () => undefined },
      skipInstanceCountWarning: true,
    });
    closing.push(() => unleash.destroy());
    await once(unleash, UnleashEvents.Synchronized, { signal: AbortSignal.timeout(10_000) });
    return unleash;
  }

  async function ask<T>(program: Program, question: object): Promise<T> {
    program.send(question);
    return program.next<T>();
  }

  async function givenFlagWith(strategy: object): Promise<FlagEnvironmentParams> {
    const params = await givenFlagIn(scene.server);
    await addStrategy(scene.server, params, strategy);
    await scene.switchFlag(params, 'on');
    return params;
  }

  it('agrees with the SDK for Node on each flag and context', async () => {
    const { id } = await givenSegment(scene.server);
    const flags = [await givenFlagIn(scene.server), await givenFlagWith({ name: 'default', segments: [id] })];
    for (const strategy of strategies) flags.push(await givenFlagWith(strategy));
    const { secret } = await givenToken(scene.server);
    const [ruby, node] = [await startRuby(secret), await startNode(secret)];
    const answers: Record<string, boolean[]> = {};
    for (const { featureName: flag } of flags) {
      const ofNode = contexts.map((context) => node.isEnabled(flag, context));
      for (const context of contexts) ruby.send({ ask: 'isEnabled', flag, context });
      const ofRuby: boolean[] = [];
      while (ofRuby.length < contexts.length) ofRuby.push(await ruby.next());
      answers[flag] = ofRuby;
      expect({ flag, answers: ofRuby }).toEqual({ flag, answers: ofNode });
    }
    // Most flags are on for some contexts only. Off for all: the disabled flag, 0 % and another host. On for all:
    // default and 100 %.
    const kinds = Object.values(answers).map((of) => (of.every(Boolean) ? 'on' : of.some(Boolean) ? 'both' : 'off'));
    expect(kinds).toEqual(['off', 'both', 'on', 'both', 'both', 'off', 'both', 'both', 'both', 'on', 'off', 'both']);
  });

  it('returns the overridden variant of a user, as the SDK for Node does', async () => {
    const params = await givenEnabled(scene.server);
    const route = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants';
    const body = [
      { name: 'usual', weight: 1000, payload: { type: 'string', value: 'blue' } },
      { name: 'special', weight: 0, weightType: 'fix', overrides: [{ contextName: 'userId', values: ['ann'] }] },
    ];
    expect((await scene.server.admin.call(route, { params, body })).status).toBe(200);
    const { secret } = await givenToken(scene.server);
    const [ruby, node] = [await startRuby(secret), await startNode(secret)];
    const question = { ask: 'getVariant', flag: params.featureName };
    for (const [userId, name] of [
      ['ann', 'special'],
      ['bob', 'usual'],
    ] as const) {
      const variant = await ask<object>(ruby, { ...question, context: { userId } });
      expect(variant).toMatchObject({ name, enabled: true });
      expect(node.getVariant(params.featureName, { userId })).toMatchObject({ name, enabled: true });
    }
    expect(await ask(ruby, { ...question, context: { userId: 'bob' } })).toMatchObject({
      payload: { type: 'string', value: 'blue' },
    });
  });

  it('raises an exception for a flag with an unknown operator, and evaluates others', async () => {
    const known = await givenEnabled(scene.server);
    const constraints = [{ contextName: 'age', operator: 'NUM_GT', value: '18' }];
    const unknown = await givenFlagWith({ name: 'default', constraints });
    const ruby = await startRuby((await givenToken(scene.server)).secret);
    const isOn = ({ featureName: flag }: FlagEnvironmentParams) =>
      ask(ruby, { ask: 'isEnabled', flag, context: { properties: { age: '20' } } });
    expect(await isOn(unknown)).toEqual({ raised: 'TypeError' });
    expect(await isOn(known)).toBe(true);
  });

  it('gets 304 while nothing changes, and sees a flag switched', async () => {
    const params = await givenEnabled(scene.server);
    const ruby = await startRuby((await givenToken(scene.server)).secret);
    const isOn = () => ask<boolean>(ruby, { ask: 'isEnabled', flag: params.featureName });
    expect(await isOn()).toBe(true);
    const statuses = () => scene.relay.statusesOf('GET', '/api/client/features');
    await expect.poll(() => statuses().filter((status) => status === 304).length, soon).toBeGreaterThan(1);
    await scene.switchFlag(params, 'off');
    await expect.poll(isOn, soon).toBe(false);
    expect(statuses().filter((status) => status === 200)).toHaveLength(2);
  });

  it('registers, and its counts are in the metrics', async () => {
    const params = await givenEnabled(scene.server);
    const appName = freshName('ruby-shop');
    const ruby = await startRuby((await givenToken(scene.server)).secret, appName);
    for (let n = 0; n < 3; n++) await ask(ruby, { ask: 'isEnabled', flag: params.featureName });
    expect(await ask(ruby, { ask: 'sendMetrics' })).toBe('sent');
    expect(scene.relay.statusesOf('POST', '/api/client/register')).toEqual([202]);
    expect(scene.relay.statusesOf('POST', '/api/client/metrics')).toEqual([202]);
    expect(await scene.countsOf(params)).toMatchObject([{ appName, environment: 'development', yes: 3, no: 0 }]);
    expect(await scene.application(appName)).toMatchObject({
      sdkVersion: `unleash-client-ruby:${rubyVersion}`,
      strategies: expect.arrayContaining(['default', 'flexibleRollout', 'userWithId']),
    });
  });
});
