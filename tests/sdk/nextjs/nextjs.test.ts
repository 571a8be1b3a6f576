import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addStrategy, freshName, givenEnabled, givenFlagIn } from '../../../apps/server/testing/flags.ts';
import { givenSegment } from '../../../apps/server/testing/segments.ts';
import { givenToken } from '../../../apps/server/testing/tokens.ts';
import { installedSdk } from '../install.ts';
import { useScene } from '../scene.ts';

interface Toggle {
  readonly name: string;
  readonly variant: object;
}

interface Definitions {
  readonly features?: readonly { readonly name: string }[];
}

interface Flags {
  isEnabled(flag: string): boolean;
  getVariant(flag: string): object;
  sendMetrics(): Promise<void>;
}

/** The part of `@unleash/nextjs` that these tests use. */
interface NextSdk {
  getDefinitions(config: { url: string; token: string; appName: string }): Promise<Definitions>;
  evaluateFlags(definitions: Definitions, context: object): { readonly toggles: Toggle[] };
  flagsClient(toggles: Toggle[], config?: { url: string; clientKey: string; appName: string }): Flags;
  getFrontendFlags(config: { url: string; clientKey: string; appName: string }): Promise<{ toggles: Toggle[] }>;
  flag(
    name: string,
    context: object,
    config: { url: string; token: string; appName: string },
  ): Promise<{ readonly enabled: boolean }>;
  readonly FlagProvider: unknown;
  useFlag(name: string): boolean;
}

interface React {
  createElement(type: unknown, props: object | null, ...children: unknown[]): object;
}

const sdk = installedSdk('nextjs');
const next = () => sdk.load<NextSdk>('@unleash/nextjs');

describe('the official SDK for Next.js', () => {
  const scene = useScene();

  afterEach(() => {
    scene.relay.accept();
    scene.relay.forget();
  });

  /** Returns the settings of an application that gets flags on its server, with a backend token. */
  async function backend() {
    const { secret: token } = await givenToken(scene.server);
    return { url: `${scene.relay.url}/api/client/features`, token, appName: freshName('next') };
  }

  async function frontend() {
    const { secret: clientKey } = await givenToken(scene.server, { type: 'frontend' });
    return { url: `${scene.relay.url}/api/frontend`, clientKey, appName: freshName('next') };
  }

  it('gets definitions, 304 while nothing changes, and sees a flag switched', async () => {
    const params = await givenEnabled(scene.server);
    const config = await backend();
    const isOn = async () => {
      const { toggles } = next().evaluateFlags(await next().getDefinitions(config), {});
      return next().flagsClient(toggles).isEnabled(params.featureName);
    };
    expect(await isOn()).toBe(true);
    expect(await isOn()).toBe(true);
    await scene.switchFlag(params, 'off');
    expect(await isOn()).toBe(false);
    expect(scene.relay.statusesOf('GET', '/api/client/features')).toEqual([200, 304, 200]);
  });

  it('evaluates segments, constraints and variants as they were set', async () => {
    const { id } = await givenSegment(scene.server);
    const params = await givenFlagIn(scene.server);
    const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };
    await addStrategy(scene.server, params, {
      name: 'flexibleRollout',
      parameters: { rollout: '100', stickiness: 'default', groupId: params.featureName },
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['ann'] }],
      segments: [id],
      variants: [{ ...variant, payload: { type: 'string', value: '#00f' } }],
    });
    await scene.switchFlag(params, 'on');
    const definitions = await next().getDefinitions(await backend());
    const variantFor = (context: object) =>
      next().flagsClient(next().evaluateFlags(definitions, context).toggles).getVariant(params.featureName);
    expect(variantFor({ userId: 'ann', properties: { country: 'NO' } })).toMatchObject({
      name: 'blue',
      enabled: true,
      payload: { type: 'string', value: '#00f' },
    });
    const none = { name: 'disabled', enabled: false, feature_enabled: false };
    expect(variantFor({ userId: 'bob', properties: { country: 'NO' } })).toMatchObject(none);
    expect(variantFor({ userId: 'ann', properties: { country: 'SE' } })).toMatchObject(none);
  });

  it('gets flags that were evaluated for a page', async () => {
    const { featureName } = await givenEnabled(scene.server);
    const { toggles } = await next().getFrontendFlags(await frontend());
    expect(toggles.map(({ name }) => name)).toContain(featureName);
  });

  it.each(['backend', 'frontend'] as const)('reports evaluations with a %s token', async (type) => {
    const params = await givenEnabled(scene.server);
    const { secret: clientKey } = await givenToken(scene.server, { type });
    const appName = freshName('next');
    const url = `${scene.relay.url}/api${type === 'frontend' ? '/frontend' : ''}`;
    const { toggles } = next().evaluateFlags(await next().getDefinitions(await backend()), {});
    const flags = next().flagsClient(toggles, { url, clientKey, appName });
    for (let n = 0; n < 2; n++) flags.isEnabled(params.featureName);
    await flags.sendMetrics();
    expect(await scene.countsOf(params)).toMatchObject([{ appName, environment: 'development', yes: 2, no: 0 }]);
    expect(await scene.application(appName)).toMatchObject({
      sdkVersion: expect.stringMatching(/^unleash-js-sdk:/),
    });
  });

  it('renders flags on the server', async () => {
    const { featureName } = await givenEnabled(scene.server);
    const { createElement } = sdk.load<React>('react');
    const { renderToString } = sdk.load<{ renderToString(element: object): string }>('react-dom/server');
    const { toggles: bootstrap } = next().evaluateFlags(await next().getDefinitions(await backend()), {});
    const Page = () => createElement('p', null, `${next().useFlag(featureName)} ${next().useFlag('nothing')}`);
    const config = { ...(await frontend()), bootstrap, disableMetrics: true };
    const element = createElement(next().FlagProvider, { config, startClient: false }, createElement(Page, null));
    expect(renderToString(element)).toBe('<p>true false</p>');
  });

  it.each([429, 503])('has flags off while it gets %i, reports the error, and recovers', async (status) => {
    const { featureName } = await givenEnabled(scene.server);
    const config = await backend();
    scene.relay.refuse({ status });
    const said = vi.spyOn(console, 'error').mockReturnValue();
    expect(await next().flag(featureName, {}, config)).toMatchObject({ enabled: false });
    expect(said).toHaveBeenCalled();
    said.mockRestore();
    scene.relay.accept();
    expect(await next().flag(featureName, {}, config)).toMatchObject({ enabled: true });
  });

  it('generates types for the existing flags', async () => {
    const { featureName } = await givenEnabled(scene.server);
    const { token, appName } = await backend();
    const directory = mkdtempSync(join(tmpdir(), 'types-'));
    const file = join(directory, 'flags.ts');
    const program = join(sdk.directory, 'node_modules/@unleash/nextjs/dist/cli/index.js');
    await promisify(execFile)(process.execPath, [program, 'generate-types', file], {
      cwd: directory,
      env: {
        UNLEASH_SERVER_API_URL: `${scene.relay.url}/api`,
        UNLEASH_SERVER_API_TOKEN: token,
        UNLEASH_APP_NAME: appName,
      },
    });
    const types = readFileSync(file, 'utf8');
    rmSync(directory, { recursive: true });
    expect(types).toContain(`"${featureName}"`);
  });
});
