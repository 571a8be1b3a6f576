import { describe, expect, it } from 'vitest';
import { givenTokenOwner } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('the list of all tokens', () => {
  const server = useServer();
  const open = useBrowser();

  it('shows tokens of users and SDKs as they come, and deletes them after a confirmation', async () => {
    const { user } = await givenTokenOwner(server());
    const email = `${user.username}@example.com`;
    const { page, complaints } = await open(server(), { at: '/admin/tokens' });
    await page.getByRole('row', { name: `laptop Personal access token ${email}` }).waitFor();
    const { secret } = await givenToken(server(), { tokenName: 'checkout' });
    const row = page.getByRole('row', { name: 'checkout API token (backend) All projects · development' });
    await row.waitFor();
    await expectAccessible(page);
    expect(await page.content()).not.toContain(secret);
    for (const [name, words] of [
      ['checkout', 'Applications that use checkout will lose access at once.'],
      ['laptop', `Scripts that use laptop of ${email} will lose access at once.`],
    ] as const) {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete token?' });
      await dialog.getByText(words).waitFor();
      await dialog.getByRole('button', { name: 'Delete token' }).click();
      await page.getByRole('button', { name: `Actions for ${name}` }).waitFor({ state: 'detached' });
    }
    const { tokens } = (await server().admin.call('GET /api/admin/tokens')).json;
    expect(tokens).toMatchObject([{ scope: { type: 'admin' } }]);
    expect(complaints()).toEqual([]);
  });
});

describe('the form of a personal token', () => {
  const server = useServer({ personalTokenDays: 60 });
  const open = useBrowser();

  it('offers no life beyond the limit, and shows the limit', async () => {
    const { page } = await open(server(), { at: '/profile' });
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Description').fill('script');
    await page.getByText('At most 60 days.').waitFor();
    await page.getByRole('combobox', { name: 'Expires' }).click();
    expect(await page.getByRole('option').allTextContents()).toEqual([
      'In 7 days',
      'In 30 days',
      'In 60 days',
      'On a date',
    ]);
    await page.getByRole('option', { name: 'On a date' }).click();
    const date = page.getByLabel('Date');
    const last = (await date.getAttribute('max')) ?? '';
    const beyond = new Date(Date.parse(last) + 24 * 3_600_000).toISOString().slice(0, 10);
    await date.fill(beyond);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText(/at most 60 days from now/).waitFor();
    await expectAccessible(page);
    await date.fill(last);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog', { name: 'Personal access token created' }).waitFor();
  });
});
