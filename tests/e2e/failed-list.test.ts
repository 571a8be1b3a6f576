import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { useBrowser } from './browser.ts';

describe('a list that cannot be loaded', () => {
  const server = useServer();
  const open = useBrowser();

  it.each([
    ['the server is unavailable', { status: 503 } as const, 'The server answered 503.'],
    ['the server cannot be reached', undefined, 'The server cannot be reached. Try again in a moment.'],
  ])('shows the error after one request when %s, and loads on retry', async (_why, answer, message) => {
    const { page } = await open(server(), { at: '/' });
    let requestCount = 0;
    const api = '**/api/admin/environments';
    await page.route(api, (route) => {
      requestCount++;
      return answer === undefined ? route.abort() : route.fulfill(answer);
    });
    await page.goto('/environments');
    await page.getByRole('alert').getByText('Loading failed').waitFor();
    await page.getByRole('alert').getByText(message, { exact: true }).waitFor();
    expect(requestCount).toBe(1);
    await page.unroute(api);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('switch', { name: 'Add production to new projects' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});
