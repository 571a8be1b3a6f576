import { beforeAll, describe, expect, it } from 'vitest';
import { givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenEnabled, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, openPalette, settled, useBrowser } from './browser.ts';
import { pages, ways } from './every-page.ts';

const parts = [
  { path: '/projects/default/settings/segments', title: 'Project settings' },
  { path: '/projects/default/settings/context-fields', title: 'Project settings' },
  { path: '/admin/users?tab=inactive', title: 'Users' },
  { path: '/admin/roles?tab=project', title: 'Roles' },
  { path: '/admin/instance?tab=maintenance', title: 'Instance' },
  { path: '/admin/instance?tab=banners', title: 'Instance' },
  { path: '/admin/instance?tab=network', title: 'Instance' },
];

/** Labels of controls that a person on call may use, beside those of a Viewer. */
const stopping = /^(Freeze all automation|Override automation)$/;

/**
 * Labels of controls that a Viewer may use: they only show something, concern the user's own objects, or open something
 * that the server refuses later.
 */
const harmless = [
  /favorites$/,
  /^Copy /,
  // Opens a dialog with a public key.
  /^Action calls/,
  /^Actions/,
  /^Show (password|archived)$/,
  /^Select /,
  // Controls of lists.
  /^(Name|Type|Created|Last seen|More filters|Columns|Filters|Export|\d+ tags?)$/,
  // Controls of the event log and its timeline.
  /^(Earlier|Later|Zoom in|Zoom out|Filter the log by this range)$/,
  / · /,
  // Controls of the playground.
  /^(Add field|Remove appName|Evaluate flags|.*Why\?)$/,
  // Forms that a Viewer cannot save.
  /^(Add constraint|Add variant|Impression data.*|Enabled.*)$/,
  // The rights depend on the chosen project (export) or on the file (import).
  /^(Download export|Include the constraints of segments|Select file)$/,
  // Files of the page. Everyone who sees an incident may write about it.
  /^(Download (CSV|JSON)|Write a note)$/,
  // The user's own objects.
  /^(Change password|New token|Delete personal tokens too)$/,
];

/** Returns the labels of the enabled buttons, switches and boxes of the page. */
const pressable = `[...document.querySelectorAll('#main :is(button, [role=switch], [type=checkbox]):enabled')]
  .filter((it) => it.offsetParent !== null && it.role !== 'tab' && it.ariaDisabled !== 'true' && !it.closest('[aria-hidden=true], .mantine-Pill-root'))
  .map((it) => (it.ariaLabel ?? it.labels?.[0]?.textContent ?? it.textContent).trim() || it.textContent.trim())`;

/** Returns the labels of the controls that are shown but may not be used; switches among them show a state. */
const grey = `[...document.querySelectorAll('#main span[tabindex="0"] > :is(button, a)')]
  .filter((it) => it.offsetParent !== null && (it.disabled || it.dataset.disabled !== undefined))
  .map((it) => (it.ariaLabel ?? it.textContent).trim())`;

describe('a person who may not change much', () => {
  const server = useServer();
  const open = useBrowser();
  beforeAll(async () => {
    await givenFlag(server(), { name: 'looked-at' });
    await signal(server(), await givenSet(server()));
    await givenEnabled(server());
    await server().admin.call('POST /api/admin/segments', { body: { name: 'beta', constraints: [] } });
    await server().admin.call('POST /api/admin/segments', {
      body: { name: 'beta here', project: 'default', constraints: [] },
    });
    await server().admin.call('POST /api/admin/strategies', { body: { name: 'own', parameters: [] } });
  });

  it.each([
    ['Viewer', harmless],
    ['On call', [...harmless, stopping]],
  ] as const)(
    'with the role %s opens every page without a refusal, and has no control that the server would refuse',
    async (role, usable) => {
      const window = await open(server(), { at: '/', as: await givenUser(server(), role) });
      const { page } = window;
      for (const { path, title } of [...pages, ...parts]) {
        await ways['from another page'](window, path);
        await page.getByRole('heading', { name: title, level: 1 }).waitFor();
        await settled(window);
        const failures = await page.getByRole('alert').filter({ hasText: 'Loading failed' }).allTextContents();
        const names = await page.evaluate<string[]>(pressable);
        const open = names.filter((name) => !usable.some((pattern) => pattern.test(name)));
        const useless = await page.evaluate<string[]>(grey);
        expect([path, failures, open, useless, window.complaints()]).toEqual([path, [], [], [], []]);
        expect(await page.getByText('You may not change all that is here.').count()).toBeLessThanOrEqual(1);
      }
    },
    300_000,
  );

  it('reads in one line of a page, in the menu and on empty pages which permission is missing', async () => {
    const { page, complaints } = await open(server(), { at: '/environments', as: await givenUser(server(), 'Viewer') });
    await page.getByText('You may not change all that is here. You need the permission ADMIN.').waitFor();
    await page.getByText('development', { exact: true }).first().waitFor();
    for (const button of ['Actions for development', 'New environment'])
      expect(await page.getByRole('button', { name: button }).count()).toBe(0);
    await page.getByRole('link', { name: 'Groups' }).click();
    await page.getByText('You need the permission ADMIN.').waitFor();
    expect(await page.getByRole('link', { name: 'Groups No access' }).getAttribute('aria-current')).toBe('page');
    await openPalette(page);
    await page.keyboard.type('service acc');
    await page.getByText('You need the permission ADMIN.').nth(1).waitFor();
    expect(complaints()).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'can distinguish enabled and disabled flags in the %s color scheme',
    async (colorScheme) => {
      const on = await givenEnabled(server());
      const off = await givenFlag(server());
      const { page } = await open(server(), {
        at: `/projects/${on.projectId}`,
        as: await givenUser(server(), 'Viewer'),
        colorScheme,
      });
      const looks = async (featureName: string) => {
        const shown = page.getByRole('switch', { name: `${featureName} in development` });
        await shown.waitFor();
        expect(await shown.isDisabled()).toBe(true);
        return page.evaluate<{ color: string; icons: string[] }>(`(() => {
        const input = document.querySelector('[aria-label="${featureName} in development"]');
        const track = input.nextElementSibling;
        const icons = [...track.querySelectorAll('svg')].filter((icon) => getComputedStyle(icon).display !== 'none');
        return {
          color: getComputedStyle(track).backgroundColor,
          icons: icons.map((icon) => [...icon.classList].find((name) => name.startsWith('tabler-icon-'))),
        };
      })()`);
      };
      const [ofOn, ofOff] = [await looks(on.featureName), await looks(off.featureName)];
      expect(ofOn.icons).toEqual(['tabler-icon-check']);
      expect(ofOff.icons).toEqual(['tabler-icon-x']);
      expect(ofOn.color).not.toBe(ofOff.color);
      await expectAccessible(page);
    },
  );

  it('sees on each page of a project that it is missing or hidden', async () => {
    const hidden = await givenProject(server(), { mode: 'private' });
    const { page } = await open(server(), { at: `/projects/${hidden}`, as: await givenUser(server(), 'Viewer') });
    await page.getByText(`The project ${hidden} was not found, or is not visible to you`).waitFor();
    await expectAccessible(page);
    for (const part of ['/settings', '/features/cart']) {
      await page.goto(`/projects/nowhere${part}`);
      await page.getByText('The project nowhere was not found, or is not visible to you').waitFor();
    }
    expect(await page.getByText('no flags yet').count()).toBe(0);
    await page.getByRole('link', { name: 'Go to the projects' }).click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  });
});
