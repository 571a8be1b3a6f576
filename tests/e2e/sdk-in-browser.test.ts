import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { UnleashClient } from 'unleash-proxy-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';
import { useBrowser } from './browser.ts';

const soon = { timeout: 10_000, interval: 50 };

/** The global variables of the page: the SDK, and the client that the page creates with it. */
declare const unleash: { readonly UnleashClient: typeof UnleashClient };
declare const window: { client: UnleashClient };

describe('official browser SDK on a page of another origin', () => {
  const server = useServer();
  const open = useBrowser();
  const entry = createRequire(import.meta.url).resolve('unleash-proxy-client');
  const script = readFileSync(new URL('main.min.js', `file://${entry}`));
  const shop = createServer((request, response) => {
    if (request.url === '/sdk.js') response.setHeader('content-type', 'text/javascript').end(script);
    else
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>shop</title><script src="/sdk.js"></script>');
  });
  let origin = '';

  beforeAll(async () => {
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    const closed = once(shop, 'close');
    shop.close();
    shop.closeAllConnections();
    await closed;
  });

  async function openShop() {
    const { page } = await open(server());
    const answered: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/api/'))
        answered.push(`${response.request().method()} ${pathname} ${response.status()}`);
    });
    await page.goto(origin);
    const { secret: clientKey } = await givenToken(server(), { type: 'frontend' });
    const start = (config: object) => {
      const client = new unleash.UnleashClient({
        ...(config as ConstructorParameters<typeof UnleashClient>[0]),
        disableRefresh: true,
      });
      window.client = client;
      // Not awaited: the promise resolves when the SDK is ready, which never happens in some tests.
      void client.start();
    };
    await page.evaluate(start, { url: `${server().url}/api/frontend`, clientKey, appName: 'a shop in a browser' });
    return {
      answered,
      isReady: () => page.evaluate(() => window.client.isReady()),
      hasFailed: () => page.evaluate(() => window.client.getError() !== undefined),
      sees: async (flag: string) => {
        await page.evaluate(() => window.client.updateToggles());
        return page.evaluate((name) => window.client.isEnabled(name), flag);
      },
      report: () =>
        page.evaluate(() =>
          (window.client as unknown as { metrics: { sendMetrics(): Promise<void> } }).metrics.sendMetrics(),
        ),
    };
  }

  it('fetches flags, gets 304, sees a switched flag, and reports metrics', async () => {
    const params = await givenEnabled(server());
    const { answered, isReady, sees, report } = await openShop();
    await expect.poll(isReady, soon).toBe(true);
    expect(await sees(params.featureName)).toBe(true);
    // The browser may tell the test of an answer later than the page has it.
    await expect.poll(() => answered, soon).toContain('GET /api/frontend 200');
    // Proves that the page may read the ETag of another origin: otherwise the SDK would send no If-None-Match.
    await expect.poll(() => answered, soon).toContain('GET /api/frontend 304');
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off';
    await server().admin.call(route, { params });
    await expect.poll(() => sees(params.featureName), soon).toBe(false);
    await report();
    await expect.poll(() => answered, soon).toContain('POST /api/frontend/client/metrics 200');
  });

  it('gets no flags when CORS does not allow the origin', async () => {
    const permit = async (...frontendApiOrigins: string[]) => {
      const { status } = await server().admin.call('POST /api/admin/ui-config/cors', { body: { frontendApiOrigins } });
      expect(status).toBe(204);
    };
    await permit('https://other.example.com');
    const refused = await openShop();
    await expect.poll(refused.hasFailed, soon).toBe(true);
    expect(await refused.isReady()).toBe(false);
    await permit(origin);
    const permitted = await openShop();
    await expect.poll(permitted.isReady, soon).toBe(true);
  });
});
