import { beforeAll, expect, it } from 'vitest';
import { givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, settled, useBrowser, type Window, type WindowOptions } from './browser.ts';

/** Every page of the interface, and its heading. */
export const pages = [
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
  { path: '/projects/default/features/looked-at/connect?language=go', title: 'Connect your application' },
  { path: '/first-alert', title: 'Let an alert switch a flag' },
  { path: '/history', title: 'Event log' },
  { path: '/integrations', title: 'Integrations' },
  { path: '/integrations/signals', title: 'Signals' },
  { path: '/environments', title: 'Environments' },
  { path: '/context', title: 'Context fields' },
  { path: '/segments', title: 'Segments' },
  { path: '/tag-types', title: 'Tag types' },
  { path: '/strategies', title: 'Strategy types' },
  { path: '/release-templates', title: 'Release templates' },
  { path: '/release-templates/create-template', title: 'New release template' },
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
  { path: '/projects/default/settings/release-templates', title: 'Project settings' },
  { path: '/runs/1', title: 'Run 1' },
  { path: '/projects/default/settings/links', title: 'Project settings' },
  { path: '/projects/default/settings/transfer', title: 'Project settings' },
  { path: '/actions', title: 'Actions' },
  { path: '/incidents', title: 'Incidents' },
  { path: '/incidents/report', title: 'Last night' },
  { path: '/change-requests', title: 'Change requests' },
  { path: '/projects/default/change-requests', title: 'Change requests' },
  {
    path: '/playground?environments=["development"]&context={"appName":"web"}',
    title: 'Playground',
  },
  { path: '/personal', title: 'Now' },
  { path: '/admin/users', title: 'Users' },
  { path: '/admin/users?tab=invite-links', title: 'Users' },
  { path: '/admin/service-accounts', title: 'Service accounts' },
  { path: '/admin/groups', title: 'Groups' },
  { path: '/admin/roles', title: 'Roles' },
  { path: '/admin/api', title: 'API tokens' },
  { path: '/admin/tokens', title: 'All tokens' },
  { path: '/admin/auth', title: 'Single sign-on' },
  { path: '/admin/logins', title: 'Login history' },
  { path: '/admin/instance', title: 'Instance' },
  { path: '/profile', title: 'Profile' },
  { path: '/nowhere', title: 'Not found' },
];

/** The ways to open a page: by its address, or by navigation inside the loaded application. */
export const ways = {
  'by its address': async ({ page }: Window, path: string) => {
    await page.goto(path);
  },
  'from another page': async ({ page }: Window, path: string) => {
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  },
} as const;

/**
 * Defines a test that opens every page in a window with this look. Test files run at the same time, so each look has
 * one.
 */
export function opensEveryPage(
  look: Required<Pick<WindowOptions, 'width' | 'colorScheme'>>,
  way: keyof typeof ways,
): void {
  const server = useServer();
  const open = useBrowser();
  beforeAll(async () => {
    await givenFlag(server(), { name: 'looked-at' });
    await signal(server(), await givenSet(server()));
  });

  it(`opens ${way} in ${look.colorScheme} colors at ${look.width} px, accessible and without errors`, async () => {
    const window = await open(server(), look);
    await logIn(window);
    for (const { path, title } of pages) {
      await ways[way](window, path);
      await window.page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await settled(window);
      await expectAccessible(window.page);
      const sideways = await window.page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect([path, sideways, window.complaints()]).toEqual([path, false, []]);
    }
  }, 300_000);
}
