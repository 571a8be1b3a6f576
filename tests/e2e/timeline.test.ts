import { describe, expect, it } from 'vitest';
import { recordEvents } from '../../apps/server/testing/event-log.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint, send } from '../../apps/server/testing/signals.ts';
import { expectAccessible, logIn, settled, useBrowser } from './browser.ts';

const minute = 60_000;
const flag = { project: 'default', featureName: 'checkout', environment: 'production' };

/**
 * Creates events: an alert fires, the flag goes off, the alert clears; two hours later, a dozen changes in a minute.
 */
async function givenIncident(server: TestServer) {
  const endpoint = await givenEndpoint(server);
  const sent = async (status: string) =>
    (await send(server, endpoint, JSON.stringify({ alert: 'Errors', status }))).json.signals[0].id as number;
  server.clock.advance(5 * 60 * minute);
  const start = server.clock.now();
  const fired = await sent('firing');
  server.clock.advance(500);
  await recordEvents(server.app, [{ type: 'feature-environment-disabled', ...flag }], 900, { signalId: fired });
  server.clock.advance(30 * minute);
  await sent('resolved');
  server.clock.advance(120 * minute);
  for (let n = 0; n < 12; n++) {
    await recordEvents(server.app, [{ type: 'feature-tagged', ...flag, featureName: `tagged-${n}` }]);
    server.clock.advance(5000);
  }
  // The login of the test comes so late that its event lies after the shown range.
  server.clock.advance(120 * minute);
  return { start, range: `start=${start - 10 * minute}&end=${start + 240 * minute}` };
}

describe('timeline', () => {
  const server = useServer();
  const open = useBrowser();

  it('shows signals and changes on one axis, zooms in, and links each to its page', async () => {
    const window = await open(server());
    const { page } = window;
    const { start, range } = await givenIncident(server());
    await logIn(window, `/history?${range}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('2 signals, 13 changes').waitFor();
    // The first marks show the order of events: the alert fired, the flag went off, the alert cleared.
    const signs = timeline.locator('[data-marker]');
    // The marks are drawn once the width is known, which the numbers do not wait for.
    await signs.first().waitFor();
    const names = await signs.evaluateAll((all) => all.map((element) => element.getAttribute('aria-label')));
    expect(names.slice(0, 3)).toEqual([
      expect.stringMatching(/^Signal from .*firing/),
      expect.stringMatching(/^Flag disabled, checkout · production/),
      expect.stringMatching(/^Signal from .*resolved/),
    ]);
    await expectAccessible(page);
    await timeline.getByRole('button', { name: /^Flag disabled, checkout · production/ }).click();
    const event = page.getByRole('dialog', { name: /^Event/ });
    await event.getByRole('link', { name: /^Signal/ }).waitFor();
    await page.keyboard.press('Escape');
    await event.waitFor({ state: 'detached' });
    // Simultaneous events are one mark, which expands when zoomed.
    await timeline.getByRole('button', { name: /^12 changes/ }).click();
    await timeline.getByText('0 signals, 12 changes').waitFor();
    await timeline.getByRole('button', { name: /^Flag tagged, tagged-11/ }).waitFor();
    await page.waitForURL((url) => Number(url.searchParams.get('start')) > start + 100 * minute);
    await timeline.getByText('List', { exact: true }).click();
    await timeline.getByRole('button', { name: 'Flag tagged' }).first().waitFor();
    await expectAccessible(page);
    expect(window.complaints()).toEqual([]);
  });

  it('says of the range of a span that it ends now', async () => {
    const window = await open(server(), { at: '/history?span=7d' });
    await window.page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d to now$/).waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('draws disabled flags in their color, in the chosen color scheme instead of the system’s', async () => {
    const { range } = await givenIncident(server());
    const fillOf = async (chosen: 'light' | 'dark') => {
      const window = await open(server(), { colorScheme: chosen === 'light' ? 'dark' : 'light' });
      const { page } = window;
      await page.addInitScript(`localStorage.setItem('mantine-color-scheme-value', '${chosen}')`);
      await logIn(window, `/history?${range}`);
      const mark = page.getByRole('button', { name: /^Flag disabled, checkout · production/ });
      await mark.waitFor();
      return page.evaluate<string[]>(
        `[...document.querySelectorAll('[aria-label^="Flag disabled, checkout"] *')].map((one) => getComputedStyle(one).fill)`,
      );
    };
    expect(await fillOf('light')).toContain('rgb(201, 42, 42)');
    expect(await fillOf('dark')).toContain('rgb(255, 135, 135)');
  });

  it('is operated by keyboard', async () => {
    const window = await open(server());
    const { page } = window;
    const { start, range } = await givenIncident(server());
    await logIn(window, `/history?${range}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const signal = timeline.getByRole('button', { name: /^Signal from .*firing/ });
    await signal.focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toMatch(/^Flag disabled/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForURL((url) => Number(url.searchParams.get('start')) > start);
    await page.goBack();
    await page.goto(`/history?${range}`);
    await signal.focus();
    await page.keyboard.press('+');
    await page.waitForURL((url) => Number(url.searchParams.get('end')) < start + 240 * minute);
    await page.goto(`/history?${range}`);
    await signal.focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: /^Signal/ })
      .getByText('firing')
      .waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('moves by dragging without opening the entry under the pointer', async () => {
    const window = await open(server());
    const { page } = window;
    const { start, range } = await givenIncident(server());
    await logIn(window, `/history?${range}`);
    const signal = page.getByRole('button', { name: /^Signal from .*firing/ });
    await signal.waitFor();
    // The timeline may move while the page loads.
    await settled(window);
    const box = await signal.boundingBox();
    if (box === null) throw new Error('the signal is not drawn');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL((url) => Number(url.searchParams.get('start')) < start - 15 * minute);
    expect(new URL(page.url()).searchParams.get('received')).toBe(null);
    expect(window.complaints()).toEqual([]);
  });
});
