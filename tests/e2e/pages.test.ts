import { beforeAll, describe, expect, it } from 'vitest';
import { givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, useBrowser } from './browser.ts';

const pages = [
  { path: '/projects', title: 'Projects' },
  { path: '/projects/default', title: 'Default' },
  { path: '/create-project', title: 'New project' },
  { path: '/projects/default/archive', title: 'Archived flags' },
  { path: '/projects/default/create-flag', title: 'New feature flag' },
  { path: '/projects/default/features/looked-at', title: 'looked-at' },
  { path: '/projects/default/features/looked-at/metrics', title: 'looked-at' },
  { path: '/projects/default/features/looked-at/logs', title: 'looked-at' },
  { path: '/projects/default/features/looked-at/settings', title: 'looked-at' },
  {
    path: '/projects/default/features/looked-at/strategies/create?environmentId=development',
    title: 'Add a strategy',
  },
  { path: '/projects/default/features/looked-at/variants?environmentId=development', title: 'Environment variants' },
  { path: '/history', title: 'Event log' },
  { path: '/integrations', title: 'Integrations' },
  { path: '/integrations/signals', title: 'Signals' },
  { path: '/environments', title: 'Environments' },
  { path: '/context', title: 'Context fields' },
  { path: '/segments', title: 'Segments' },
  { path: '/tag-types', title: 'Tag types' },
  { path: '/strategies', title: 'Strategy types' },
  { path: '/feature-toggle-type', title: 'Feature flag types' },
  { path: '/applications', title: 'Applications' },
  { path: '/applications/unknown-flags', title: 'Unknown flags' },
  { path: '/projects/default/settings', title: 'Project settings' },
  { path: '/projects/default/settings/access', title: 'Project settings' },
  { path: '/projects/default/settings/api-access', title: 'Project settings' },
  { path: '/projects/default/settings/environments', title: 'Project settings' },
  { path: '/projects/default/settings/change-requests', title: 'Project settings' },
  { path: '/projects/default/settings/actions', title: 'Project settings' },
  { path: '/projects/default/settings/actions?make=true', title: 'Project settings' },
  { path: '/runs/1', title: 'Run 1' },
  { path: '/projects/default/settings/transfer', title: 'Project settings' },
  { path: '/change-requests', title: 'Change requests' },
  { path: '/projects/default/change-requests', title: 'Change requests' },
  {
    path: '/playground?environments=["development"]&context={"appName":"web"}',
    title: 'Playground',
  },
  { path: '/personal', title: 'Dashboard' },
  { path: '/admin/users', title: 'Users' },
  { path: '/admin/users?tab=invite-links', title: 'Users' },
  { path: '/admin/service-accounts', title: 'Service accounts' },
  { path: '/admin/groups', title: 'Groups' },
  { path: '/admin/roles', title: 'Roles' },
  { path: '/admin/api', title: 'API tokens' },
  { path: '/admin/auth', title: 'Single sign-on' },
  { path: '/admin/logins', title: 'Login history' },
  { path: '/admin/instance', title: 'Instance' },
  { path: '/profile', title: 'Profile' },
  { path: '/nowhere', title: 'Not found' },
];

describe('every page', () => {
  const server = useServer();
  const open = useBrowser();
  beforeAll(async () => {
    await givenFlag(server(), { name: 'looked-at' });
    await signal(server(), await givenSet(server()));
  });

  const ways = [
    { colorScheme: 'light', width: 380 },
    { colorScheme: 'dark', width: 1600 },
  ] as const;
  it.each(ways)(
    'opens in $colorScheme colours $width px wide, accessible, and complains of nothing',
    async (way) => {
      const window = await open(server(), way);
      await logIn(window);
      for (const { path, title } of pages) {
        await window.page.goto(path);
        await window.page.getByRole('heading', { name: title, level: 1 }).waitFor();
        await window.page.waitForLoadState('networkidle');
        await expectAccessible(window.page);
        const sideways = await window.page.evaluate('document.documentElement.scrollWidth > innerWidth');
        expect([path, sideways, window.complaints()]).toEqual([path, false, []]);
      }
    },
    pages.length * 10_000,
  );
});

describe('a person who switches a flag', () => {
  const server = useServer();
  const open = useBrowser();

  it('sees it on in the table and its event in the log', async () => {
    const { featureName } = await givenFlag(server());
    const window = await open(server());
    const { page } = window;
    await logIn(window, '/projects/default');
    const state = page.getByRole('switch', { name: `${featureName} in development` });
    await state.click({ force: true });
    await expect.poll(() => state.isChecked()).toBe(true);
    await page.getByRole('link', { name: 'Event log' }).click();
    const event = page.getByRole('button', { name: 'Flag enabled' });
    await event.filter({ hasText: featureName }).waitFor();
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', {
      params: { projectId: 'default', featureName },
    });
    expect(json.environments.find(({ name }: { name: string }) => name === 'development').enabled).toBe(true);
    expect(window.complaints()).toEqual([]);
  });

  it('goes on after a session has ended, and what was typed is still there', async () => {
    const window = await open(server());
    const { page } = window;
    await logIn(window, '/integrations/signals');
    await page.getByRole('button', { name: 'New signal endpoint' }).first().click();
    await page.getByLabel('Signal endpoint name').fill('kept');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Add signal endpoint' }).click();
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await login.getByRole('textbox', { name: 'Password' }).fill('First-Admin-42!');
    await login.getByRole('button', { name: 'Log in' }).click();
    await login.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Signal endpoint name').inputValue()).toBe('kept');
    await page.getByRole('button', { name: 'Add signal endpoint' }).click();
    await page.getByRole('button', { name: 'Actions for kept' }).waitFor();
  });
});
