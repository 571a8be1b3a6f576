import { describe, expect, it } from 'vitest';
import { givenUser } from '../../apps/server/testing/people.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint } from '../../apps/server/testing/signals.ts';
import { expectAccessible, openPalette, settled, useBrowser, type Window } from './browser.ts';

describe('help', () => {
  const server = useServer();
  const open = useBrowser();

  it('links the documentation, the API and the changelog, and shows the version', async () => {
    const { page, complaints } = await open(server(), { at: '/', width: 380 });
    await page.getByRole('button', { name: 'Help' }).click();
    const { version } = (await server().admin.call('GET /api/admin/ui-config')).json;
    await page.getByText(`Yardarm ${version}`).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Documentation' }).getAttribute('href')).toBe('docs/');
    const changes = await page.getByRole('menuitem', { name: 'What’s new' }).getAttribute('href');
    const changelog = await fetch(new URL(changes ?? '', `${server().url}/`));
    expect([changelog.status, await changelog.text()]).toEqual([200, expect.stringContaining(`${version} (`)]);
    const api = await page.getByRole('menuitem', { name: 'API' }).getAttribute('href');
    const reply = await fetch(new URL(api ?? '', `${server().url}/`));
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('<html')]);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(complaints()).toEqual([]);
  });

  it('shows the keyboard shortcuts with ?, and not while a text is typed', async () => {
    const window = await open(server(), { at: '/projects' });
    const { page } = window;
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Show the keyboard shortcuts').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.goto('/segments');
    const search = page.getByLabel('Search segments');
    await search.fill('who');
    await search.press('?');
    expect(await search.inputValue()).toBe('who?');
    // The code of the dialog would be loaded first.
    await settled(window);
    expect(await dialog.count()).toBe(0);
  });
});

describe('the command palette', () => {
  const server = useServer();
  const open = useBrowser();

  async function find(window: Window, text: string) {
    const { page } = window;
    const search = await openPalette(page);
    await search.fill(text);
    await settled(window);
    return page.getByRole('dialog').filter({ has: search });
  }

  it('finds segments, endpoints, users and settings, and opens them', async () => {
    await givenSegment(server(), { name: 'violet-people' });
    const endpoint = await givenEndpoint(server());
    const { username } = await givenUser(server(), 'Editor');
    const window = await open(server(), { at: '/' });
    const { page } = window;
    const palette = await find(window, 'violet');
    await palette.getByText('violet-people').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await (await find(window, endpoint.name)).getByText(endpoint.name).click();
    await page.getByRole('dialog', { name: `Signals: ${endpoint.name}` }).waitFor();
    await page.keyboard.press('Escape');
    await (await find(window, 'violet-people')).getByText('violet-people').click();
    await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
    await (await find(window, username)).getByText(username).first().click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await (await find(window, 'default api access')).getByText('Default: API access').click();
    await page.getByRole('heading', { name: 'Project settings', level: 1 }).waitFor();
    expect(page.url()).toMatch(/\/projects\/default\/settings\/api-access$/);
    expect(window.complaints()).toEqual([]);
  });

  it('lists first the page, section or help that the words mean', async () => {
    const expected = [
      ['maintenance', 'Instance: Maintenance'],
      ['cors', 'Instance: Network'],
      ['legal hold', 'Instance: Legal hold'],
      ['sso', 'Single sign-on'],
      ['sign on oidc', 'Single sign-on'],
      ['tokens', 'API tokens'],
      ['invite', 'Users: Invite links'],
      ['project roles', 'Roles: Project roles'],
      ['personal access token', 'Profile'],
      ['alert', 'Let an alert switch a flag'],
      ['docs', 'Documentation'],
      ['limits', 'Server settings'],
      ['license', 'Documentation'],
      ['openapi', 'API'],
      ['changelog', 'What’s new'],
      ['shortcuts', 'Keyboard shortcuts'],
      ['log out', 'Log out'],
      ['sign out', 'Log out'],
    ] as const;
    const window = await open(server(), { at: '/playground' });
    const firsts = [];
    for (const [text, label] of expected) {
      const entries = (await find(window, text)).locator('[data-action]');
      await entries.filter({ hasText: label }).first().waitFor();
      firsts.push([text, (await entries.first().innerText()).split('\n')[0]]);
      await window.page.keyboard.press('Escape');
    }
    expect(firsts).toEqual(expected);
    expect(window.complaints()).toEqual([]);
  });

  it('opens sections of pages, the documentation and the shortcuts', async () => {
    const window = await open(server(), { at: '/playground' });
    const { page } = window;
    await (await find(window, 'cors')).getByText('Instance: Network').click();
    await page.getByRole('combobox', { name: 'Origins of the frontend API' }).waitFor();
    await (await find(window, 'shortcuts')).getByText('Keyboard shortcuts').click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    const palette = await find(window, 'limits');
    await expectAccessible(page);
    const opened = page.context().waitForEvent('page');
    await palette.getByText('Server settings').click();
    await (await opened).getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('offers a viewer only sections that the viewer may open, and says which permission a page needs', async () => {
    const window = await open(server(), { at: '/playground', as: await givenUser(server(), 'Viewer') });
    for (const [text, permission] of [
      ['single sign-on', 'UPDATE_AUTH_CONFIGURATION'],
      ['service accounts', 'ADMIN'],
      ['login history', 'READ_LOGS'],
    ] as const)
      await (await find(window, text)).getByText(`You need the permission ${permission}.`).waitFor();
    for (const text of ['legal hold', 'statistics', 'invite links'])
      await (await find(window, text)).getByText('No results.').waitFor();
    await (await find(window, 'maintenance')).getByText('Instance: Maintenance').click();
    await window.page.getByRole('tab', { name: 'Maintenance', selected: true }).waitFor();
    expect(window.complaints()).toEqual([]);
  });

  it('offers to search the documentation for what the palette does not find', async () => {
    const window = await open(server(), { at: '/playground' });
    const { page } = window;
    const opened = page.context().waitForEvent('page');
    await (await find(window, 'restore')).getByRole('link', { name: 'search the documentation' }).click();
    const docs = await opened;
    await docs.getByRole('link', { name: 'Restore Backups', exact: true }).click();
    await docs.waitForURL('**/docs/guides/backup.html#restore');
    expect(window.complaints()).toEqual([]);
  });

  it('hides endpoints, users and settings from a viewer', async () => {
    const endpoint = await givenEndpoint(server());
    const { username } = await givenUser(server(), 'Editor');
    const window = await open(server(), { at: '/', as: await givenUser(server(), 'Viewer') });
    for (const text of [endpoint.name, username, 'default api access'])
      await (await find(window, text)).getByText('No results.').waitFor();
    expect(window.complaints()).toEqual([]);
  });
});
