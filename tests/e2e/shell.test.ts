import { describe, expect, it } from 'vitest';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, openPalette, useBrowser } from './browser.ts';

describe('navigation', () => {
  const server = useServer();
  const open = useBrowser();

  it('opens a flag and a page by keyboard', async () => {
    const { featureName } = await givenFlag(server());
    const { page, complaints } = await open(server(), { at: '/' });
    const search = await openPalette(page);
    await page.keyboard.type(featureName);
    const palette = page.getByRole('dialog').filter({ has: search });
    await palette.getByText(featureName).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: featureName, level: 1 }).waitFor();
    await page.goto('/integrations');
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    await openPalette(page);
    // Typed and confirmed before the server has answered.
    await page.keyboard.type(featureName);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: featureName, level: 1 }).waitFor();
    await openPalette(page);
    await page.keyboard.type('integr');
    await palette.locator('[data-selected]').filter({ hasText: 'Integrations' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(await page.locator('nav [aria-current=page]').allTextContents()).toEqual(['Integrations']);
    expect(complaints()).toEqual([]);
  });

  it('shows an empty command palette when it is reopened while it closes', async () => {
    const { page, complaints } = await open(server(), { at: '/', motion: true });
    const search = await openPalette(page);
    await page.keyboard.type('signals');
    await page.getByRole('dialog').getByText('Signals').first().waitFor();
    await page.keyboard.press('Escape');
    await openPalette(page);
    await page.keyboard.type('integr');
    await expect.poll(() => search.inputValue()).toBe('integr');
    expect(complaints()).toEqual([]);
  });

  it('shows maintenance mode and banners', async () => {
    await server().admin.call('POST /api/admin/banners', {
      body: { message: 'Frozen until Monday', variant: 'warning' },
    });
    await server().admin.call('POST /api/admin/maintenance', { body: { enabled: true } });
    const window = await open(server(), { at: '/', colorScheme: 'dark' });
    await window.page.getByText('Maintenance mode', { exact: true }).waitFor();
    await expectAccessible(window.page);
    await window.page.getByRole('button', { name: 'Dismiss' }).click();
    await window.page.getByText('Frozen until Monday').waitFor({ state: 'detached' });
    expect(window.complaints()).toEqual([]);
  });
});
