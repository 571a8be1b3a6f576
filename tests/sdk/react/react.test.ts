import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addStrategy, freshName, givenEnabled, givenFlagIn } from '../../../apps/server/testing/flags.ts';
import { givenToken } from '../../../apps/server/testing/tokens.ts';
import { installedSdk } from '../install.ts';
import { useScene } from '../scene.ts';

interface React {
  createElement(type: unknown, props?: object | null, ...children: unknown[]): object;
}

interface Root {
  render(element: object): void;
  unmount(): void;
}

/** The part of `@unleash/proxy-client-react` that these tests use. */
interface ReactSdk {
  readonly FlagProvider: unknown;
  useFlag(name: string): boolean;
  useVariant(name: string): { readonly name?: string };
  useFlagsStatus(): { readonly flagsReady: boolean; readonly flagsError: unknown };
  useUnleashContext(): (context: object) => Promise<void>;
}

interface BrowserWindow {
  readonly document: { createElement(name: string): { readonly textContent: string } };
  readonly happyDOM: { close(): Promise<void> };
}

const sdk = installedSdk('react');
const soon = { timeout: 10_000, interval: 50 };

describe('the official SDK for React', () => {
  const scene = useScene();
  const globals = globalThis as Record<string, unknown>;
  let window: BrowserWindow;
  const closing: (() => void)[] = [];

  beforeAll(() => {
    const { Window } = sdk.load<{ Window: new (options: { url: string }) => BrowserWindow }>('happy-dom');
    window = new Window({ url: 'http://shop.test/' });
    Object.assign(globals, { window, document: window.document });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    scene.relay.accept();
    for (const close of closing.splice(0)) close();
    scene.relay.forget();
  });
  afterAll(async () => {
    // Closing the window aborts the last requests, which the SDK would report on the console.
    muteSdk();
    await window.happyDOM.close();
    for (const name of ['window', 'document']) delete globals[name];
  });

  /** Opens a page that shows the states of a flag and its variant, and that polls every 50 ms. */
  async function openPage(featureName: string, more: object = {}) {
    const { createElement } = sdk.load<React>('react');
    const { createRoot } = sdk.load<{ createRoot(container: object): Root }>('react-dom/client');
    const react = sdk.load<ReactSdk>('@unleash/proxy-client-react');
    const { secret } = await givenToken(scene.server, { type: 'frontend' });
    const appName = freshName('shop');
    let setContext: (context: object) => Promise<void> = async () => undefined;
    const Flag = () => {
      const { flagsReady, flagsError } = react.useFlagsStatus();
      const isOn = react.useFlag(featureName);
      const { name } = react.useVariant(featureName);
      setContext = react.useUnleashContext();
      return `${flagsReady ? (isOn ? 'on' : 'off') : 'waits'}, ${name}${flagsError === null ? '' : ', failing'}`;
    };
    const config = {
      url: `${scene.relay.url}/api/frontend`,
      clientKey: secret,
      appName,
      refreshInterval: 0.05,
      disableMetrics: true,
      // The AbortController of Node, because Node's fetch does not accept that of happy-dom.
      createAbortController: () => new AbortController(),
      ...more,
    };
    const container = window.document.createElement('div');
    const root = createRoot(container);
    root.render(createElement(react.FlagProvider, { config }, createElement(Flag)));
    closing.push(() => root.unmount());
    return {
      appName,
      shown: () => container.textContent,
      become: (userId: string) => setContext({ userId }),
    };
  }

  /** Silences the SDK, which writes to the console for each failed request. */
  const muteSdk = () => vi.spyOn(console, 'error').mockReturnValue();
  const statuses = () => scene.relay.statusesOf('GET', '/api/frontend');

  it('synchronises, gets 304 after that, and shows a flag switched', async () => {
    const params = await givenEnabled(scene.server);
    const { shown } = await openPage(params.featureName);
    await expect.poll(shown, soon).toBe('on, disabled');
    await expect.poll(() => statuses().filter((status) => status === 304).length, soon).toBeGreaterThan(1);
    await scene.switchFlag(params, 'off');
    await expect.poll(shown, soon).toBe('off, disabled');
    // The number of 200s depends on the machine: the SDK asks again, without an ETag, when its first answer is slow.
    expect(new Set(statuses())).toEqual(new Set([200, 304]));
  });

  it('shows another variant to another user', async () => {
    const params = await givenFlagIn(scene.server);
    const variant = { weight: 1000, weightType: 'variable', stickiness: 'default' };
    for (const [userIds, name] of [
      ['ann', 'blue'],
      ['bob', 'green'],
    ]) {
      const variants = [{ ...variant, name }];
      await addStrategy(scene.server, params, { name: 'userWithId', parameters: { userIds }, variants });
    }
    await scene.switchFlag(params, 'on');
    const { shown, become } = await openPage(params.featureName, { context: { userId: 'ann' } });
    await expect.poll(shown, soon).toBe('on, blue');
    await become('bob');
    await expect.poll(shown, soon).toBe('on, green');
    await become('cat');
    await expect.poll(shown, soon).toBe('off, disabled');
  });

  it('reports its evaluations', async () => {
    const params = await givenEnabled(scene.server);
    const metrics = { disableMetrics: false, metricsInterval: 0.1, metricsIntervalInitial: 0.1 };
    const { appName } = await openPage(params.featureName, metrics);
    await expect
      .poll(() => scene.countsOf(params), soon)
      .toMatchObject([{ appName, environment: 'development', yes: expect.any(Number) }]);
    expect(await scene.application(appName)).toMatchObject({ sdkVersion: expect.stringMatching(/^unleash-js-sdk:/) });
    expect(new Set(scene.relay.statusesOf('POST', '/api/frontend/client/metrics'))).toEqual(new Set([200]));
  });

  it.each([429, 503])('shows cached flags while it gets %i, and recovers', async (status) => {
    const params = await givenEnabled(scene.server);
    const { shown } = await openPage(params.featureName);
    await expect.poll(shown, soon).toBe('on, disabled');
    muteSdk();
    scene.relay.refuse({ status });
    await expect.poll(shown, soon).toBe('on, disabled, failing');
    await scene.switchFlag(params, 'off');
    scene.relay.accept();
    await expect.poll(shown, soon).toBe('off, disabled');
  });

  it('recovers after a restart of the server', async () => {
    const params = await givenEnabled(scene.server);
    const { shown } = await openPage(params.featureName);
    await expect.poll(shown, soon).toBe('on, disabled');
    muteSdk();
    await scene.restart(() => expect.poll(shown, soon).toBe('on, disabled, failing'));
    await expect.poll(statuses, soon).toContain(304);
    await scene.switchFlag(params, 'off');
    await expect.poll(shown, soon).toBe('off, disabled');
    expect(new Set(statuses())).toEqual(new Set([200, 304, 502]));
  });
});
