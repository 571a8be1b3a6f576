import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('the documentation', () => {
  const server = useServer();
  const open = useBrowser();

  it('is read without a login, and its search leads to the passage', async () => {
    const { page, complaints } = await open(server());
    await page.goto('/docs');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'On call' }).click();
    await page.getByRole('heading', { level: 1, name: 'On call' }).waitFor();
    await page.getByLabel('Search the documentation').fill('overri autom');
    await page.getByRole('link', { name: 'Override automation' }).first().click();
    await page.waitForURL('**/docs/guides/on-call.html#override-automation');
    expect(complaints()).toEqual([]);
  });

  it.each([1280, 380])('leads from the name of a setting to its row, below the header at %d px', async (width) => {
    const { page, complaints } = await open(server(), { width });
    await page.goto('/docs/guides/on-call.html');
    const search = page.getByLabel('Search the documentation');
    await search.fill('UNLEASH_SECRET');
    await page.getByRole('link', { name: 'UNLEASH_SECRET Settings' }).waitFor();
    await search.press('Enter');
    await page.waitForURL('**/docs/reference/settings.html#unleash_secret');
    const row = page.getByRole('row').filter({ hasText: 'UNLEASH_SECRETtextPassword' });
    const header = await page.getByRole('banner').boundingBox();
    await expect
      .poll(async () => ((await row.boundingBox())?.y ?? 0) - (header?.height ?? 0), { timeout: 5000 })
      .toSatisfy((distance) => distance >= 0 && distance < 200);
    await expectAccessible(page);
    expect(complaints()).toEqual([]);
  });

  it('shows each setting as a block on a phone, without sideways scrolling of its table', async () => {
    const { page } = await open(server(), { width: 380 });
    await page.goto('/docs/reference/settings.html');
    const overflow = await page
      .locator('.table')
      .evaluateAll((tables) => tables.map((table) => table.scrollWidth - table.clientWidth));
    expect(Math.max(...overflow)).toBe(0);
    const label = await page.evaluate(
      'getComputedStyle(document.querySelector("#port td:nth-child(2)"), "::before").content',
    );
    expect(label).toBe('"Default: "');
  });

  it('is linked from the page of the HTTP API', async () => {
    const { page, complaints } = await open(server());
    await page.goto('/docs/openapi');
    await page.getByRole('link', { name: 'reference of the routes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Routes' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.waitForURL('**/docs/index.html');
    expect(complaints()).toEqual([]);
  });

  it('keeps the chosen theme from page to page', async () => {
    const { page } = await open(server());
    await page.goto('/docs/index.html');
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await page.getByRole('link', { name: 'Glossary' }).first().click();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  });

  it.each([1280, 380])('has no accessibility problem and no sideways scrolling at %d px', async (width) => {
    const { page } = await open(server(), { width });
    for (const path of ['index.html', 'guides/on-call.html', 'reference/settings.html']) {
      await page.goto(`/docs/${path}`);
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });
});
