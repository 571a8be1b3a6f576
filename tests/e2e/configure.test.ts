import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, useBrowser } from './browser.ts';

describe('a person who sets up environments', () => {
  const server = useServer();
  const open = useBrowser();

  async function order(): Promise<string[]> {
    const { json } = await server().admin.call('GET /api/admin/environments');
    return json.environments.map(({ name }: { name: string }) => name);
  }

  it('creates one, is told of a name that was taken meanwhile, moves it up by keyboard, and deletes it by its name', async () => {
    const window = await open(server());
    const { page } = window;
    await logIn(window, '/environments');
    await page.getByRole('button', { name: 'New environment' }).click();
    const form = page.getByRole('dialog', { name: 'New environment' });
    await form.getByLabel('Environment name').fill('load test');
    await form.getByText('Only letters, digits').waitFor();
    await form.getByLabel('Environment name').fill('load');
    await form.getByLabel('Required approvals').fill('2');
    await server().admin.call('POST /api/admin/environments', { body: { name: 'load', type: 'test' } });
    await form.getByRole('button', { name: 'Create environment' }).click();
    await form.getByText('Is taken.').waitFor();
    expect(await form.getByLabel('Required approvals').inputValue()).toBe('2');
    window.complaints();
    await form.getByLabel('Environment name').fill('load-2');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create environment' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Move load-2' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('load-2 is at place 4 of 4.').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowUp');
    await page.getByText('load-2 is at place 3 of 4.').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await expect.poll(order).toEqual(['development', 'production', 'load-2', 'load']);
    await page.getByRole('button', { name: 'Actions for load-2' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByLabel('Type load-2 to confirm').fill('load-2');
    await page.getByRole('button', { name: 'Delete environment' }).click();
    await expect.poll(order).toEqual(['development', 'production', 'load']);
    expect(window.complaints()).toEqual([]);
  });
});
