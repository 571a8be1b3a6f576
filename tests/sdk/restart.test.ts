import { once } from 'node:events';
import { Unleash, UnleashEvents } from 'unleash-client';
import { afterEach, describe, expect, it } from 'vitest';
import { freshName, givenEnabled } from '../../apps/server/testing/flags.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';
import { useScene } from './scene.ts';

const modes = [
  ['polling', { type: 'polling', format: 'full' }],
  ['asking for what changed', { type: 'polling', format: 'delta' }],
  ['being told', { type: 'streaming' }],
] as const;

const soon = { timeout: 15_000, interval: 50 };

describe('the official SDK for Node during an outage of the server', () => {
  const scene = useScene();
  const started: Unleash[] = [];

  afterEach(() => {
    scene.relay.accept();
    for (const unleash of started.splice(0)) unleash.destroy();
    scene.relay.forget();
  });

  async function startSdk(experimentalMode: (typeof modes)[number][1]): Promise<Unleash> {
    const { secret } = await givenToken(scene.server);
    const unleash = new Unleash({
      url: `${scene.relay.url}/api/`,
      appName: freshName('away'),
      customHeaders: { authorization: secret },
      refreshInterval: 50,
      metricsInterval: 60_000,
      storageProvider: { get: async () => undefined, set: async () => undefined },
      skipInstanceCountWarning: true,
      experimentalMode,
    });
    started.push(unleash);
    // The SDK reports an unreachable server; without a listener it would throw.
    unleash.on(UnleashEvents.Error, () => undefined);
    unleash.on(UnleashEvents.Warn, () => undefined);
    await once(unleash, UnleashEvents.Synchronized);
    return unleash;
  }

  it.each(modes)('keeps its flags, sees later changes, and loses no counts: %s', async (_how, mode) => {
    const params = await givenEnabled(scene.server);
    const unleash = await startSdk(mode);
    const answers = { yes: 0, no: 0 };
    const isOn = () => {
      const answer = unleash.isEnabled(params.featureName);
      answers[answer ? 'yes' : 'no']++;
      return answer;
    };
    expect(isOn()).toBe(true);
    await scene.restart(async () => {
      await unleash.flushMetrics();
      expect(scene.relay.statusesOf('POST', '/api/client/metrics')).toContain(502);
      expect(isOn()).toBe(true);
    });
    await scene.switchFlag(params, 'off');
    await expect.poll(isOn, soon).toBe(false);
    await unleash.flushMetrics();
    expect(await scene.countsOf(params)).toMatchObject([answers]);
    expect(new Set(scene.relay.exchanges.map(({ status }) => status))).not.toContain(401);
  });

  it.each([429, 503])('recovers after %i', async (status) => {
    const params = await givenEnabled(scene.server);
    const unleash = await startSdk(modes[0][1]);
    scene.relay.refuse({ status });
    await expect.poll(() => scene.relay.statusesOf('GET', '/api/client/features'), soon).toContain(status);
    await scene.switchFlag(params, 'off');
    scene.relay.accept();
    await expect.poll(() => unleash.isEnabled(params.featureName), soon).toBe(false);
  });
});
