import { EventEmitter, on } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenFlagIn } from '../../apps/server/testing/flags.ts';
import { givenHold } from '../../apps/server/testing/holds.ts';
import {
  createEmptyStorage,
  startServer,
  type TestServer,
  type TestStorage,
} from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, settled, useBrowser } from './browser.ts';

/** Starts a proxy between browser and server. It can fall silent: connections stay open, but no data passes. */
async function startNetwork({ url }: TestServer) {
  const sockets = new Set<Socket>();
  const answers = new EventEmitter();
  let isSilent = false;
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(url).port), '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => {
        if (isSilent) return;
        to.write(bytes);
        if (from === server) answers.emit('data', bytes);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    fallSilent: () => {
      isSilent = true;
    },
    /** Resolves when data from the server contains a text. */
    carried: async (text: string) => {
      for await (const [bytes] of on(answers, 'data')) if (bytes.includes(text)) return;
    },
    recover: () => {
      isSilent = false;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        proxy.close(resolve);
      });
    },
  };
}

/** Stays valid across restarts: initial tokens are created only in an empty database. */
const initAdminTokens = ['*:*.for-tests-of-a-lost-connection'];

describe('a lost connection to the server', () => {
  const open = useBrowser();
  let storage: TestStorage;
  let server: TestServer;
  let isRunning: boolean;

  beforeEach(async () => {
    storage = createEmptyStorage();
    server = await startServer(storage, { initAdminTokens });
    isRunning = true;
  });
  afterEach(async () => {
    if (isRunning) await server.stop();
    await storage.remove();
  });

  async function stopServer(): Promise<void> {
    await server.stop();
    isRunning = false;
  }

  /** Starts the server again at the same address. */
  async function restartServer(): Promise<void> {
    server = await startServer(storage, { initAdminTokens, port: Number(new URL(server.url).port) }, server.clock);
    isRunning = true;
  }

  const strip = (page: Page) => page.getByRole('status').filter({ hasText: 'No connection to the server since' });

  it('is shown on a phone until it is back, when the data of the page is loaded again', async () => {
    const flag = await givenFlagIn(server, 'development');
    const { page } = await openPage(380);
    await stopServer();
    await strip(page).waitFor();
    expect(await strip(page).innerText()).toMatch(
      /^No connection to the server since \d\d:\d\d\. What you see may be out of date\.$/,
    );
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await restartServer();
    await givenHold(server, flag, { effect: 'off', reason: 'Error rate of the checkout' });
    await strip(page).waitFor({ state: 'detached' });
    await page.getByText('Error rate of the checkout').waitFor();
  });

  it('is shown while the browser is offline', async () => {
    const { page } = await openPage(1280);
    await page.context().setOffline(true);
    await strip(page).waitFor();
    await page.context().setOffline(false);
    await strip(page).waitFor({ state: 'detached' });
  });

  it('is shown when the connection dies without an error, and goes when it is back, also when reads hang', async () => {
    await server.stop();
    server = await startServer(storage, { initAdminTokens, streamHeartbeatSeconds: 1 });
    const network = await startNetwork(server);
    try {
      const { page } = await openPage(1280, '/personal', { ...server, url: network.url });
      // Opens the command palette before the connection is lost, because its code is loaded only a second after the
      // page.
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      await page.keyboard.press('Escape');
      await network.carried('event: heartbeat');
      const checked = page.waitForRequest('**/api/admin/newest');
      network.fallSilent();
      await checked;
      // Like a return from another tab: the page loads all outdated data, on as many connections as a browser opens.
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
      await strip(page).waitFor({ timeout: 30_000 });
      await page.getByText('Nothing was held when the connection to the server was lost.').waitFor();
      network.recover();
      await strip(page).waitFor({ state: 'detached', timeout: 30_000 });
      await page.getByText('Nothing is held: every flag is in its configured state.').waitFor();
    } finally {
      await network.stop();
    }
  });

  it('stays in view while the page scrolls', async () => {
    const { page } = await openPage(1280);
    await page.setViewportSize({ width: 1280, height: 400 });
    await stopServer();
    await strip(page).waitFor();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await expect.poll(() => page.evaluate('scrollY > 100')).toBe(true);
    const box = await strip(page).boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(56);
    expect(box?.y).toBeLessThan(100);
  });

  it('is not shown while the server restarts within a moment', async () => {
    const { page } = await openPage(1280);
    await page.evaluate(`
      globalThis.wasShown = false;
      new MutationObserver(() => {
        globalThis.wasShown ||= document.body.textContent.includes('No connection to the server');
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    const reconnected = page.waitForResponse((response) => response.url().endsWith('/api/admin/activity'));
    await stopServer();
    await restartServer();
    expect((await reconnected).status()).toBe(200);
    await givenHold(server, await givenFlagIn(server, 'development'), { effect: 'off', reason: 'After the restart' });
    await page.getByText('After the restart').waitFor();
    expect(await page.evaluate('globalThis.wasShown')).toBe(false);
  });

  it('is not shown when the session has ended', async () => {
    const { page } = await openPage(1280);
    const { json } = await server.admin.call('GET /api/admin/user-admin');
    const { id } = json.users.find(({ username }: { username: string }) => username === 'admin');
    await server.admin.call('DELETE /api/admin/user-admin/:id/sessions', { params: { id } });
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(await strip(page).count()).toBe(0);
  });

  it('keeps the input of a form, which says so, and is saved when the connection is back', async () => {
    const { page } = await openPage(1280, '/create-project');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kept');
    await stopServer();
    await strip(page).waitFor();
    const create = page.getByRole('button', { name: 'Create project', exact: true });
    await create.click();
    await page.getByText('The server cannot be reached. Your input is still here').first().waitFor();
    await restartServer();
    await strip(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Kept');
    await create.click();
    await page.getByRole('heading', { name: 'Kept', level: 1 }).waitFor();
  });

  async function openPage(width: number, path = '/personal', at = server) {
    const window = await open(at, { width });
    const followed = window.page.waitForResponse((response) => response.url().endsWith('/api/admin/activity'));
    await logIn(window, path);
    await followed;
    await settled(window);
    return window;
  }
});
