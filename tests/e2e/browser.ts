import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, chromium, type Locator, type Page, type Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { TestServer } from '../../apps/server/testing/server.ts';

/** Paths of browsers; the first existing one is used. In the headless shell the tests take a fifth less time. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Optimizing compilers do not pay off for pages that live a second: without them, tests take 6 % less time. */
const unoptimized = '--js-flags=--no-opt,--no-maglev';

/** Returns the path of the browser. Throws when there is none. */
function browserPath(): string {
  const found = places.find((path) => path !== undefined && existsSync(path));
  if (found === undefined)
    throw new Error(
      'There is no Chromium: install it (on Debian: apt-get install chromium-headless-shell), or say where it is in CHROMIUM.',
    );
  return found;
}

export interface Window {
  readonly page: Page;
  /** Returns the console errors and warnings of the page since the last call. */
  complaints(): string[];
  /** Returns the number of requests of the page that wait for an answer. */
  waiting(): number;
}

/** Starts a browser for the tests of a file. The returned function opens a window, which is closed after the test. */
export function useBrowser(): (server: Pick<TestServer, 'url'>, options?: WindowOptions) => Promise<Window> {
  const contexts: BrowserContext[] = [];
  let browser: Awaited<ReturnType<typeof chromium.launch>> | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox', unoptimized] });
  });
  // Open windows follow the server's activity stream, which would slow down later tests.
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(() => browser?.close());
  return async (server, { width = 1280, colorScheme = 'light', motion = false, timeZone, at, as } = {}) => {
    if (browser === undefined) throw new Error('the browser has not been started');
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width, height: 800 },
      colorScheme,
      reducedMotion: motion ? 'no-preference' : 'reduce',
      ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
    });
    contexts.push(context);
    const window = watched(await context.newPage());
    if (at !== undefined) await logIn(window, at, as);
    return window;
  };
}

export interface WindowOptions {
  /** The path of the page that opens after a login, by the first administrator unless `as` is given. */
  readonly at?: string;
  readonly as?: Person;
  /** The time zone of the reader; that of the machine when absent. */
  readonly timeZone?: string;
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Animations are on, as for most people. Without it, tests need not wait for them. */
  readonly motion?: boolean;
}

function watched(page: Page): Window {
  const heard: string[] = [];
  page.setDefaultTimeout(15_000);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(error.message));
  const pending = new Set<Request>();
  page.on('request', (request) => {
    // A stream of events stays open, so it would never count as answered.
    if (request.resourceType() !== 'eventsource') pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return { page, complaints: () => heard.splice(0), waiting: () => pending.size };
}

interface Person {
  readonly username: string;
  readonly password: string;
}

const firstAdministrator: Person = { username: 'admin', password: 'First-Admin-42!' };

/**
 * Logs in by the API, as the first administrator unless `who` is given, and opens the page at `path`. Using the login
 * form would draw the application twice.
 */
export async function logIn({ page }: Window, path = '/', who = firstAdministrator): Promise<void> {
  const { username, password } = who;
  const answer = await page.request.post('/auth/simple/login', { data: { username, password } });
  expect(answer.status()).toBe(200);
  await page.goto(path);
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
}

/**
 * Waits until the page has all answers except `held` ones, which the test holds back, and has drawn them without
 * sending more requests.
 */
export async function settled({ page, waiting }: Window, held = 0): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
        const skeletons = await page.locator('.mantine-Skeleton-root').count();
        return { skeletons, waiting: waiting() };
      },
      { interval: 20, timeout: 15_000 },
    )
    .toEqual({ skeletons: 0, waiting: held });
}

/** Waits until the element has the keyboard focus. */
export async function focused(place: Locator): Promise<void> {
  await place.and(place.page().locator(':focus')).waitFor();
}

/** Opens the command palette and returns its field. Keys that are pressed before the field has the focus are lost. */
export async function openPalette(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+k');
  const search = page.getByPlaceholder('Flags, projects');
  await focused(search);
  return search;
}

/** Expects the page to meet WCAG 2.2 AA, as far as a program can check it. */
export async function expectAccessible(page: Page): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  // The pages have no frames: without axe's support for frames, no extra page is opened for each check. When axe is
  // already in the page, an empty script replaces it.
  const there = (await page.evaluate('typeof axe')) === 'object';
  const axe = new AxeBuilder({ page, ...(there ? { axeSource: '0' } : {}) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(tags);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/**
 * Presses an arrow key until a text is announced. The list accepts arrow keys only a moment after it has announced that
 * an item is being moved, so a key that is pressed too early has no effect. The effect of an accepted key is announced
 * well within a second.
 */
export async function pressUntil(page: Page, key: 'ArrowUp' | 'ArrowDown', announced: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.keyboard.press(key);
        const text = page.getByText(announced);
        return text.waitFor({ state: 'attached', timeout: 1000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 15_000 },
    )
    .toBe(true);
}
