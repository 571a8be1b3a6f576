import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '../../apps/server/testing/alerts.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenSdk } from '../../apps/server/testing/tokens.ts';
import { expectAccessible, openPalette, useBrowser } from './browser.ts';

const server = useServer();
const open = useBrowser();

const alert = (status: string) => ({
  status,
  commonLabels: { alertname: 'HighLatency' },
  alerts: [{ status, fingerprint: 'a', labels: { alertname: 'HighLatency' } }],
});

/** Returns a payload of Alertmanager with one alert for each name. */
const alerts = (names: readonly string[]) => ({
  status: 'firing',
  commonLabels: { alertname: 'Storm' },
  alerts: names.map((name) => ({ status: 'firing', fingerprint: name, labels: { alertname: name } })),
});

describe('an incident', () => {
  it('of a storm begins with its numbers, shows 50 entries at first, and finds the runs that failed', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { set: { name: 'Shield' } }), place);
    const failing = holdingAlerts(place, { params: { featureName: '{{item.missing}}' }, set: { name: 'Typo' } });
    await givenSet(server(), { ...failing, allow: { flags: ['*'], tags: [], environments: [] } }, place);
    await signal(server(), place, alerts(Array.from({ length: 60 }, (_, n) => `alert-${n}`)));
    const { page, complaints } = await open(server(), { at: '/', width: 380 });
    await page.goto('/incidents');
    await expect.poll(() => page.getByLabel('Held flags').innerText()).toMatch(/^60 holds(: \S|\n)/);
    await page.getByRole('link', { name: /Storm/ }).click();
    const summary = page.getByRole('region', { name: 'Summary' });
    await summary.getByText('120 runs: 60 succeeded, 60 failed').waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const failed = timeline.getByText('Typo: failed');
    const more = timeline.getByRole('button', { name: /^Show 50 more of / });
    await more.waitFor();
    await timeline.getByText('Failed or skipped').click();
    await timeline.getByRole('button', { name: 'Show 10 more of 10' }).click();
    await expect.poll(() => failed.count()).toBe(60);
    await timeline
      .getByText(/no item\.missing|missing/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Show all 60' }).click();
    await expectAccessible(page);
    expect(complaints()).toEqual([]);
  });

  it('is listed, grows while its page is open, is exported, names the time zone, and Ctrl-K finds it with its action and endpoint', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { params: { minutes: 60 }, set: { name: 'Protect' } }), place);
    await signal(server(), place, alert('firing'));
    const { page, complaints } = await open(server(), { at: '/', width: 390, timeZone: 'America/New_York' });
    await page.goto('/incidents');
    await page.getByText('1 hold open').waitFor();
    await page.getByRole('link', { name: /HighLatency/ }).click();
    const holds = page.getByRole('region', { name: 'Holds' });
    await holds.getByText(/still held/).waitFor();
    await expectAccessible(page);
    await signal(server(), place, alert('resolved'));
    await holds.getByText(/released .+ by /).waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    expect(await timeline.getByText('Protect: succeeded').count()).toBe(2);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
    ]);
    const saved = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(saved).toMatchObject({ openHolds: 0, holds: [{ end: { how: 'released' } }] });
    await page.getByText('Times are in your time zone, America/New_York; in the exports, in UTC.').waitFor();
    const at = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'medium',
      timeZone: 'America/New_York',
    });
    await page.getByText(`Began ${at.format(Date.parse(saved.startedAt))}`).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    const search = await openPalette(page);
    const palette = page.getByRole('dialog').filter({ has: search });
    for (const [typed, found] of [
      ['protect', 'Protect'],
      [place.endpoint.name, place.endpoint.name],
    ] as const) {
      await search.fill(typed);
      await palette.getByText(found, { exact: true }).waitFor();
    }
    await search.fill(`incident highlatency ${place.flag.featureName}`);
    await palette
      .getByText(/HighLatency/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await palette
      .getByText(/HighLatency/)
      .first()
      .click();
    await page.getByRole('heading', { name: /HighLatency/, level: 1 }).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('says for how long its flags were off, and for whom, and takes notes, which its author can delete', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { params: { minutes: 60 } }), place);
    const sdk = await givenSdk(server(), { environment: place.flag.environment, type: 'frontend' });
    for (const userId of ['anna', 'bo']) await sdk.call('GET /api/frontend', { query: { userId } });
    await signal(server(), place, alert('firing'));
    server().clock.advance(220_000);
    await signal(server(), place, alert('resolved'));
    const { page, complaints } = await open(server(), { at: '/', width: 380 });
    await page.goto('/incidents');
    await page
      .getByRole('link', { name: /HighLatency/ })
      .first()
      .click();
    const words = page.getByText('off for users 3 min 40 s; 2 of 2 contexts seen moved; 1 hold by 1 alert');
    await words.hover();
    await page.getByRole('tooltip', { name: /^Contexts that clients sent to the frontend API and OFREP/ }).waitFor();
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByLabel('New note').fill('The disk was full.');
    await notes.getByRole('button', { name: 'Add note' }).click();
    await notes.getByText('The disk was full.', { exact: true }).first().waitFor();
    await expectAccessible(page);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('People').click();
    await timeline.getByText('None.').waitFor();
    await timeline.getByText('Actions', { exact: true }).click();
    await timeline.getByText(/flag held .+ off/).waitFor();
    await notes.getByRole('button', { name: 'Delete note' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete note' }).click();
    await notes.getByRole('button', { name: 'Delete note' }).waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
  });

  it('stands on the page of the night beside what people did, which is exported', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { params: { minutes: 60 } }), place);
    await signal(server(), place, alert('firing'));
    const { page, complaints } = await open(server(), { at: '/', width: 380 });
    await page.goto('/incidents');
    await page.getByRole('link', { name: 'Last night' }).click();
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.getByText('Person').first().waitFor();
    const from = new Date(server().clock.now() - 60_000).toISOString();
    const to = new Date(server().clock.now() + 60_000).toISOString();
    await page.goto(`/incidents/report?from=${from}&to=${to}`);
    await page
      .getByRole('region', { name: 'Incidents' })
      .getByText(/off for users/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Write a note' }).first().click();
    await page.getByLabel('New note').fill('Nobody was woken.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('Nobody was woken.').waitFor();
    await changes
      .getByText(/flag held .+ off/)
      .first()
      .waitFor();
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const rows = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(rows[0]).toBe('eventId,at,cause,incidentId,project,flag,environment,by,summary,reason');
    expect(rows.some((row) => row.includes('Action') && row.includes(place.flag.featureName))).toBe(true);
    expect(rows.some((row) => row.includes('Person') && row.includes(place.flag.featureName))).toBe(true);
    expect(complaints()).toEqual([]);
  });
});
