import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client';
import { afterEach, describe, expect, it } from 'vitest';
import { freshName, givenEnabled } from '../../../apps/server/testing/flags.ts';
import { givenToken } from '../../../apps/server/testing/tokens.ts';
import { installedSdk } from '../install.ts';
import { useScene } from '../scene.ts';

const sdk = installedSdk('proxy');
const clientKey = 'what-pages-send';
const soon = { timeout: 10_000, interval: 50 };

describe('Unleash Proxy, in a process of its own', () => {
  const scene = useScene();
  const stopping: (() => Promise<void>)[] = [];

  afterEach(async () => {
    scene.relay.accept();
    for (const stop of stopping.splice(0).reverse()) await stop();
    scene.relay.forget();
  });

  /** Starts the proxy. Returns the URL that pages use, and the application name of the proxy. */
  async function startProxy(): Promise<{ readonly url: string; readonly appName: string }> {
    const { secret } = await givenToken(scene.server);
    const appName = freshName('proxy');
    const port = await freePort();
    // The proxy stores a copy of the flags in this directory.
    const temporary = mkdtempSync(join(tmpdir(), 'proxy-'));
    const program = join(sdk.directory, 'node_modules/@unleash/proxy/dist/start.js');
    const child = spawn(process.execPath, [program], {
      env: {
        TMPDIR: temporary,
        PORT: String(port),
        UNLEASH_URL: `${scene.relay.url}/api`,
        UNLEASH_API_TOKEN: secret,
        UNLEASH_APP_NAME: appName,
        UNLEASH_FETCH_INTERVAL: '50',
        UNLEASH_METRICS_INTERVAL: '100',
        UNLEASH_PROXY_CLIENT_KEYS: clientKey,
      },
      stdio: 'ignore',
    });
    stopping.push(async () => {
      await ended(child);
      rmSync(temporary, { recursive: true, force: true });
    });
    return { url: `http://127.0.0.1:${port}/proxy`, appName };
  }

  const isHealthy = async (url: string) => {
    try {
      return (await fetch(`${url}/health`)).status === 200;
    } catch {
      // The proxy does not listen yet.
      return false;
    }
  };

  /** Returns the client of a page, which sends requests to the proxy only when the test calls it. */
  async function openPage(url: string): Promise<UnleashClient> {
    const page = new UnleashClient({
      url,
      clientKey,
      appName: 'a page',
      disableRefresh: true,
      metricsInterval: 3600,
      metricsIntervalInitial: 3600,
      storageProvider: new InMemoryStorageProvider(),
    });
    stopping.push(async () => page.stop());
    await page.start();
    return page;
  }

  const sees = (page: UnleashClient, flag: string) => async () => {
    await page.updateToggles();
    return page.isEnabled(flag);
  };

  it('synchronises, gets 304 after that, and pages see a flag switched', async () => {
    const params = await givenEnabled(scene.server);
    const { url } = await startProxy();
    await expect.poll(() => isHealthy(url), soon).toBe(true);
    const page = await openPage(url);
    expect(page.isEnabled(params.featureName)).toBe(true);
    const statuses = () => scene.relay.statusesOf('GET', '/api/client/features');
    await expect.poll(() => statuses().slice(0, 3), soon).toEqual([200, 304, 304]);

    await scene.switchFlag(params, 'off');
    await expect.poll(sees(page, params.featureName), soon).toBe(false);
    expect(statuses().filter((status) => status === 200)).toHaveLength(2);
  });

  it('registers, and forwards the counts of pages', async () => {
    const params = await givenEnabled(scene.server);
    const { url, appName } = await startProxy();
    await expect.poll(() => isHealthy(url), soon).toBe(true);
    await expect.poll(() => scene.relay.statusesOf('POST', '/api/client/register'), soon).toEqual([202]);
    await expect
      .poll(() => scene.application(appName), soon)
      .toMatchObject({
        sdkVersion: expect.stringMatching(/^unleash-node-sdk:/),
        strategies: expect.arrayContaining(['default', 'flexibleRollout']),
      });

    const page = await openPage(url);
    for (let n = 0; n < 3; n++) page.isEnabled(params.featureName);
    await sendMetrics(page);
    await expect
      .poll(() => scene.countsOf(params), soon)
      .toMatchObject([{ appName, environment: 'development', yes: 3, no: 0 }]);
    expect(new Set(scene.relay.statusesOf('POST', '/api/client/metrics'))).toEqual(new Set([202]));
    // The proxy sends this invalid interval with reports that it sends only once. The server accepts them.
    const intervals = scene.relay.exchanges.map(({ sent }) => sent['unleash-interval']);
    expect(intervals).toContain('undefined');
  });

  it('recovers after a restart of the server, and sends the counts of the outage', async () => {
    const params = await givenEnabled(scene.server);
    const { url, appName } = await startProxy();
    await expect.poll(() => isHealthy(url), soon).toBe(true);
    const page = await openPage(url);
    await scene.restart(async () => {
      page.isEnabled(params.featureName);
      await sendMetrics(page);
      await expect.poll(() => scene.relay.statusesOf('POST', '/api/client/metrics'), soon).toContain(502);
      await expect.poll(() => scene.relay.statusesOf('GET', '/api/client/features'), soon).toContain(502);
    });
    await scene.switchFlag(params, 'off');
    await expect.poll(sees(page, params.featureName), soon).toBe(false);
    await expect
      .poll(() => scene.countsOf(params), soon)
      .toMatchObject([{ appName, environment: 'development', yes: 1, no: 0 }]);
    expect(new Set(scene.relay.exchanges.map(({ status }) => status))).not.toContain(401);
  });

  it('is known by its counts when its only registration was refused', async () => {
    const params = await givenEnabled(scene.server);
    scene.relay.refuse({ path: '/api/client/register', status: 503 });
    const { url, appName } = await startProxy();
    await expect.poll(() => scene.relay.statusesOf('POST', '/api/client/register'), soon).toEqual([503]);
    expect(await scene.application(appName)).toBeUndefined();
    const page = await openPage(url);
    page.isEnabled(params.featureName);
    await sendMetrics(page);
    await expect
      .poll(() => scene.countsOf(params), soon)
      .toMatchObject([{ appName, environment: 'development', yes: 1, no: 0 }]);
    expect(await scene.application(appName)).toMatchObject({ sdkVersion: expect.stringMatching(/^unleash-node-sdk:/) });
  });
});

/** Sends metrics, as a page does every minute. */
function sendMetrics(page: UnleashClient): Promise<void> {
  return (page as unknown as { metrics: { sendMetrics(): Promise<void> } }).metrics.sendMetrics();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
