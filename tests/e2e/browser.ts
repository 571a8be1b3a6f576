import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { TestServer } from '../../apps/server/testing/server.ts';

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of the machine. Throws when there is none. */
function browserPath(): string {
  const found = places.find((path) => path !== undefined && existsSync(path));
  if (found === undefined)
    throw new Error(
      'There is no Chromium: install it (on Debian: apt-get install chromium), or say where it is in CHROMIUM.',
    );
  return found;
}

export interface Window {
  readonly page: Page;
  /** What the page complained of on its console since it was last asked. */
  complaints(): string[];
}

/** A browser for the tests of one file, and a new window for whoever asks. */
export function useBrowser(): (server: TestServer, options?: WindowOptions) => Promise<Window> {
  const contexts: BrowserContext[] = [];
  let browser: Awaited<ReturnType<typeof chromium.launch>> | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await browser?.close();
  });
  return async (server, { width = 1280, colorScheme = 'light' } = {}) => {
    if (browser === undefined) throw new Error('the browser has not been started');
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width, height: 800 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    contexts.push(context);
    return watched(await context.newPage());
  };
}

export interface WindowOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

function watched(page: Page): Window {
  const heard: string[] = [];
  page.setDefaultTimeout(15_000);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(error.message));
  return { page, complaints: () => heard.splice(0) };
}

/** Logs in as the first administrator, on the page that is open or at `path`. */
export async function logIn({ page, complaints }: Window, path = '/'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Username or e-mail').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill('First-Admin-42!');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
  // Until somebody is known the server answers 401, of which the browser tells.
  complaints();
}

/** Sees to it that what is shown meets WCAG 2.2 AA as far as a program can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}
