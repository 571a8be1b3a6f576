import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { recordEvents } from '../../apps/server/testing/event-log.ts';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint, send } from '../../apps/server/testing/signals.ts';
import { expectAccessible, logIn, useBrowser } from './browser.ts';

describe('event log', () => {
  const server = useServer();
  const open = useBrowser();
  const changed = {
    type: 'feature-metadata-updated',
    project: 'default',
    data: { name: 'x', description: 'new words', impressionData: true },
    preData: { name: 'x', description: 'old words', impressionData: true },
  } as const;

  it('shows changes field by field, and new events without a reload', async () => {
    const window = await open(server());
    const { page } = window;
    await recordEvents(server().app, [{ ...changed, featureName: 'described' }]);
    await logIn(window, '/history');
    await page.getByRole('button', { name: 'Flag metadata updated' }).click();
    expect(await page.getByText('was "old words"').isVisible()).toBe(true);
    expect(await page.getByText('is "new words"').isVisible()).toBe(true);
    expect(await page.getByText('impressionData').count()).toBe(0);
    await expectAccessible(page);
    // While the list is read, it does not change. A notice offers the new events instead.
    await recordEvents(server().app, [{ ...changed, featureName: 'meanwhile' }]);
    await page.getByRole('button', { name: '1 new event' }).click();
    await page.getByRole('button', { name: /meanwhile/ }).waitFor();
    await page.getByRole('button', { name: /described/ }).click();
    await recordEvents(server().app, [{ ...changed, featureName: 'at-once' }]);
    await page.getByRole('button', { name: /at-once/ }).waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('keeps its filters in the URL, which shows the same events to another person', async () => {
    const window = await open(server());
    const { page } = window;
    const { featureName } = await givenFlag(server());
    await logIn(window, '/history');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Flag' }).fill(featureName);
    await page.keyboard.press('Enter');
    await page.getByText('1 event', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Flag archived', exact: true }).click();
    await page.getByText('No events match').waitFor();
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await page.reload();
    await page.getByText('No events match').waitFor();
    await page.getByRole('button', { name: 'Filters (2)' }).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page
      .getByRole('button', { name: /Flag created/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(window.complaints()).toEqual([]);
  });

  it('downloads the listed events as a file', async () => {
    const window = await open(server());
    const { page } = window;
    await recordEvents(server().app, [
      { ...changed, featureName: 'kept' },
      { ...changed, featureName: 'kept', data: null },
      { ...changed, featureName: 'not-shown' },
    ]);
    await logIn(window, '/history?feature=kept');
    await page.getByText('2 events').waitFor();
    const saved = async (format: string) => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format }).click(),
      ]);
      return readFile(await file.path(), 'utf8');
    };
    expect(JSON.parse(await saved('JSON'))).toMatchObject([{ data: null }, { data: { description: 'new words' } }]);
    const csv = await saved('CSV');
    expect(csv.split('\r\n')).toHaveLength(4);
    expect(csv).not.toContain('not-shown');
    await page.goto('/history?feature=not-shown');
    await page.getByText('1 event', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'JSON: 1 event', exact: true }).waitFor();
  });

  it('leads from a change to the signal that caused it, and back', async () => {
    const window = await open(server());
    const { page } = window;
    const endpoint = await givenEndpoint(server());
    const sent = await send(server(), endpoint, '{"alert":"CheckoutErrorRate"}');
    const signalId = sent.json.signals[0].id;
    const off = { type: 'feature-environment-disabled', project: 'default', featureName: 'checkout' } as const;
    await recordEvents(server().app, [{ ...off, environment: 'production' }], 900, { signalId, runId: 4 });
    await logIn(window, '/history?feature=checkout');
    await page.getByRole('button', { name: /Flag disabled/, expanded: false }).click();
    await page.getByText('run 4').waitFor();
    await page.getByRole('link', { name: `Signal ${signalId}` }).click();
    const signal = page.getByRole('dialog', { name: `Signal ${signalId}` });
    await signal.getByText('CheckoutErrorRate').waitFor();
    await expectAccessible(page);
    await signal.getByRole('link', { name: 'Flag disabled · checkout · production' }).click();
    await page
      .getByRole('dialog', { name: /^Event/ })
      .getByText('Flag disabled: checkout')
      .waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('takes the time of a filter that is typed digit by digit, in the time zone of the reader', async () => {
    const { page, complaints } = await open(server(), {
      at: '/history?from=2026-03-10T07:30:00.000Z',
      timeZone: 'Europe/Vienna',
    });
    const from = page.getByRole('textbox', { name: 'From' });
    await expect.poll(() => from.inputValue()).toBe('2026-03-10T08:30');
    await from.focus();
    await page.keyboard.type('03112025');
    await expect.poll(() => from.inputValue()).toBe('2025-03-11T08:30');
    await page.waitForURL(/2025-03-11T07%3A30|2025-03-11T07:30/);
    expect(complaints()).toEqual([]);
  });
});

describe('search for a rare event in a long event log', () => {
  const server = useServer({ eventSearchRows: 1000 });
  const open = useBrowser();

  it('says that only the newest events were searched, and continues with older events', async () => {
    const event = { type: 'feature-created', project: 'default' } as const;
    await recordEvents(server().app, [{ ...event, featureName: 'oldest', data: { note: 'zq' } }]);
    // A search by text counts each event twice against its limit of rows.
    await recordEvents(
      server().app,
      Array.from({ length: 600 }, (_, n) => ({ ...event, featureName: `flag-${n}`, data: { note: 'x' } })),
    );
    const { page, complaints } = await open(server(), { at: '/history?query=zq' });
    await page.getByText('At least 0 events').waitFor();
    await page.getByText('No matches in the newest events').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Search older events' }).click();
    await page.getByRole('button', { name: /^Flag created oldest/ }).waitFor();
    await page.getByText('No matches in the newest events').waitFor({ state: 'detached' });
    await page.getByText('1 event', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Search older events' }).waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
  });
});
