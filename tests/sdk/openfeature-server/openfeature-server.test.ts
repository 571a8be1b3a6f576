import { afterEach, describe, expect, it, vi } from 'vitest';
import { addStrategy, givenEnabled, givenFlag, givenFlagIn } from '../../../apps/server/testing/flags.ts';
import { givenToken } from '../../../apps/server/testing/tokens.ts';
import { installedSdk } from '../install.ts';
import { type Scene, useScene } from '../scene.ts';

interface Details<T> {
  readonly value: T;
  readonly reason: string;
  readonly variant?: string;
  readonly errorCode?: string;
}

/** The part of `@openfeature/server-sdk` that these tests use. */
interface OpenFeatureClient {
  getBooleanValue(flag: string, otherwise: boolean, context?: object): Promise<boolean>;
  getBooleanDetails(flag: string, otherwise: boolean, context?: object): Promise<Details<boolean>>;
  getStringDetails(flag: string, otherwise: string, context?: object): Promise<Details<string>>;
}
interface ServerSdk {
  readonly OpenFeature: {
    setProviderAndWait(domain: string, provider: object): Promise<void>;
    getClient(domain: string): OpenFeatureClient;
    close(): Promise<void>;
  };
}
interface OfrepProvider {
  readonly OFREPProvider: new (options: { baseUrl: string; headers: [string, string][] }) => object;
}

const sdk = installedSdk('openfeature-server');

async function startClient({ server, relay }: Scene): Promise<OpenFeatureClient> {
  const { OpenFeature } = sdk.load<ServerSdk>('@openfeature/server-sdk');
  const { OFREPProvider } = sdk.load<OfrepProvider>('@openfeature/ofrep-provider');
  const { secret } = await givenToken(server);
  const provider = new OFREPProvider({ baseUrl: relay.url, headers: [['authorization', secret]] });
  await OpenFeature.setProviderAndWait('tests', provider);
  return OpenFeature.getClient('tests');
}

const close = () => sdk.load<ServerSdk>('@openfeature/server-sdk').OpenFeature.close();

describe('OpenFeature for servers, with its provider for OFREP', () => {
  const scene = useScene();

  afterEach(close);

  it('evaluates for the given context, and sees a flag switched', async () => {
    const params = await givenFlagIn(scene.server);
    await addStrategy(scene.server, params, {
      name: 'userWithId',
      parameters: { userIds: 'ann' },
      variants: [
        {
          name: 'blue',
          weight: 1000,
          weightType: 'variable',
          stickiness: 'default',
          payload: { type: 'string', value: '#00f' },
        },
      ],
    });
    await scene.switchFlag(params, 'on');
    const client = await startClient(scene);
    const details = (targetingKey: string) => client.getStringDetails(params.featureName, 'none', { targetingKey });
    expect(await details('ann')).toMatchObject({ value: '#00f', variant: 'blue', reason: 'SPLIT' });
    expect((await details('bob')).value).toBe('none');
    await scene.switchFlag(params, 'off');
    expect((await details('ann')).value).toBe('none');
  });

  it('gets the default with a reason for a flag of another type and for a missing flag', async () => {
    const { featureName } = await givenEnabled(scene.server);
    const client = await startClient(scene);
    expect(await client.getStringDetails(featureName, 'mine')).toMatchObject({
      value: 'mine',
      errorCode: 'TYPE_MISMATCH',
    });
    expect(await client.getBooleanDetails('nothing', true)).toMatchObject({ value: true, errorCode: 'FLAG_NOT_FOUND' });
    const { featureName: off } = await givenFlag(scene.server);
    expect(await client.getBooleanDetails(off, true)).toMatchObject({ value: false, reason: 'DISABLED' });
  });

  it('is counted by the server under the appName of its context', async () => {
    const params = await givenEnabled(scene.server);
    const client = await startClient(scene);
    for (let n = 0; n < 3; n++) await client.getBooleanValue(params.featureName, false, { appName: 'a backend' });
    await client.getBooleanValue(params.featureName, false);
    expect(await scene.countsOf(params)).toMatchObject([
      { appName: 'OpenFeature', environment: 'development', yes: 1, no: 0 },
      { appName: 'a backend', environment: 'development', yes: 3, no: 0 },
    ]);
    expect(await scene.application('a backend')).toBeDefined();
  });

  it('uses defaults while the server restarts, and recovers by itself', async () => {
    const params = await givenEnabled(scene.server);
    const client = await startClient(scene);
    const isOn = () => client.getBooleanDetails(params.featureName, false);
    expect((await isOn()).value).toBe(true);
    await scene.restart(async () => {
      expect(await isOn()).toMatchObject({ value: false, errorCode: 'GENERAL' });
    });
    expect((await isOn()).value).toBe(true);
  });
});

describe('OpenFeature for servers, over the limit of evaluations', () => {
  const scene = useScene({ ofrepRatePerMinute: 2 });

  afterEach(async () => {
    vi.useRealTimers();
    await close();
  });

  it('pauses until Retry-After, and then goes on', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const params = await givenEnabled(scene.server);
    const client = await startClient(scene);
    const isOn = () => client.getBooleanDetails(params.featureName, false);
    const values = [];
    for (let n = 0; n < 5; n++) values.push((await isOn()).value);
    expect(values).toEqual([true, true, false, false, false]);
    const path = `/ofrep/v1/evaluate/flags/${params.featureName}`;
    expect(scene.relay.statusesOf('POST', path)).toEqual([200, 200, 429]);
    vi.setSystemTime(Date.now() + 61_000);
    scene.server.clock.advance(61_000);
    expect((await isOn()).value).toBe(true);
  });
});
