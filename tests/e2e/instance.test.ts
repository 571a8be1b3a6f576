import { describe, expect, it } from 'vitest';
import { givenUser, logIn as logInAs } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, focused, useBrowser } from './browser.ts';

describe('administration of the installation', () => {
  const server = useServer();
  const open = useBrowser();

  it('saves a banner and the allowed CORS origins, and pauses all changes by maintenance mode', async () => {
    const { page, complaints } = await open(server(), { at: '/admin/instance?tab=banners' });
    await page.getByRole('button', { name: 'New banner' }).click();
    const form = page.getByRole('dialog', { name: 'New banner' });
    await form.getByLabel('Link', { exact: true }).fill('javascript:alert(1)');
    await form.getByRole('button', { name: 'Create banner' }).click();
    await form.locator('[aria-invalid=true]').first().waitFor();
    expect(await form.getByLabel('Link', { exact: true }).inputValue()).toBe('javascript:alert(1)');
    await form.getByLabel('Message').fill('We move on Sunday.');
    await form.getByLabel('Link', { exact: true }).fill('https://example.com/move');
    await form.getByLabel('Link text').fill('Why');
    await expectAccessible(page);
    complaints();
    await page.keyboard.press('Enter');
    const announced = page.getByRole('region', { name: 'Announcements' });
    await announced.getByRole('link', { name: 'Why' }).waitFor();
    await announced.getByRole('button', { name: 'Dismiss' }).click();
    await announced.getByText('We move on Sunday.').waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: 'Network' }).click();
    const origins = page.getByRole('combobox', { name: 'Origins of the frontend API' });
    await origins.fill('no origin,');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    complaints();
    for (const _ of ['all', 'that', 'were']) await origins.press('Backspace');
    await origins.fill('https://app.example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Origins saved').waitFor();
    const { json } = await server().admin.call('GET /api/admin/ui-config');
    expect(json.frontendApiOrigins).toEqual(['https://app.example.com']);

    await page.getByRole('tab', { name: 'Maintenance' }).click();
    const maintenance = page.getByRole('switch', { name: 'Maintenance mode' });
    await maintenance.click({ force: true });
    await page.getByRole('button', { name: 'Start maintenance' }).click();
    await announced.getByText('Maintenance mode').waitFor();
    expect((await server().admin.call('POST /api/admin/tag-types', { body: { name: 'late' } })).status).toBe(503);
    await expectAccessible(page);
    await maintenance.click({ force: true });
    await announced.getByText('Maintenance mode').waitFor({ state: 'detached' });
    expect((await server().admin.call('POST /api/admin/tag-types', { body: { name: 'late' } })).status).toBe(201);
    expect(complaints()).toEqual([]);
  });

  it('creates a group with a root role and a mapping, and lists refused logins', async () => {
    const { username } = await givenUser(server());
    await server().anonymous.call('POST /auth/simple/login', { body: { username, password: 'wrong' } });
    const { page, complaints } = await open(server(), { at: '/admin/groups' });
    await page.getByRole('button', { name: 'New group' }).first().click();
    const form = page.getByRole('dialog', { name: 'New group' });
    await form.getByLabel('Group description').fill('Basket and payment');
    await form.getByRole('button', { name: 'Create group' }).click();
    await form.locator('[aria-invalid=true]').and(form.getByLabel('Group name')).waitFor();
    complaints();
    await form.getByLabel('Group name').fill('Shop team');
    await form.getByRole('combobox', { name: 'Users' }).fill('A person');
    await page.getByRole('option', { name: 'A person' }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('combobox', { name: 'Root role' }).click();
    await page.getByRole('option', { name: 'Editor' }).click();
    await form.getByRole('combobox', { name: 'Single sign-on groups' }).fill('shop-devs');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create group' }).click();
    const row = page.getByRole('row', { name: /Shop team/ });
    await row.getByText('shop-devs').waitFor();
    await row.getByText('Editor').waitFor();
    await form.waitFor({ state: 'detached' });
    const { json } = await server().admin.call('GET /api/admin/groups');
    expect(json.groups).toMatchObject([{ description: 'Basket and payment', userCount: 1 }]);

    await page.getByRole('link', { name: 'Login history' }).click();
    await page.getByRole('row', { name: new RegExp(`${username} Failed`) }).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('changes the own password, shows a new personal token once, and ends another session', async () => {
    const admin = { username: 'admin', password: 'First-Admin-42!' };
    const elsewhere = await logInAs(server().anonymous, admin);
    await logInAs(server().anonymous, admin);
    const { page, complaints } = await open(server(), { at: '/profile' });
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.locator('[aria-invalid=true]').and(page.getByLabel('Description')).waitFor();
    complaints();
    await page.getByLabel('Description').fill('script');
    await page.keyboard.press('Enter');
    const made = page.getByRole('dialog', { name: 'Personal access token created' });
    const secret = (await made.locator('pre').textContent()) ?? '';
    await made.getByRole('button', { name: 'Close' }).click();
    await focused(page.getByRole('button', { name: 'New token' }));
    expect((await server().client(secret).call('GET /api/admin/user')).json.user.username).toBe('admin');
    expect(await page.getByText(secret).count()).toBe(0);

    const end = page.getByRole('button', { name: /^End the session/ });
    await page.getByRole('row', { name: 'Chrome on Linux This session' }).getByText('127.0.0.1').waitFor();
    const others = await end.count();
    await page.getByRole('button', { name: 'End the session node' }).first().click();
    await expect.poll(() => end.count()).toBe(others - 1);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click();
    await expect.poll(() => end.count()).toBe(0);
    const whoElsewhere = () => server().anonymous.call('GET /api/admin/user', { headers: elsewhere });
    await expect.poll(async () => (await whoElsewhere()).status).toBe(401);

    await page.getByRole('textbox', { name: 'Current password' }).fill('not it');
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill('Second-Admin-42!');
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill('Second-Admin-4!');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The passwords do not match.').waitFor();
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill('Second-Admin-42!');
    await page.keyboard.press('Enter');
    await page.locator('.mantine-PasswordInput-error', { hasText: 'The old password is wrong.' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'New password', exact: true }).inputValue()).toBe(
      'Second-Admin-42!',
    );
    await expectAccessible(page);
    complaints();
    await page.getByRole('textbox', { name: 'Current password' }).fill('First-Admin-42!');
    await page.keyboard.press('Enter');
    await page.getByText('Password changed').waitFor();
    await logInAs(server().anonymous, { username: 'admin', password: 'Second-Admin-42!' });
    expect(complaints()).toEqual([]);
  });
});
