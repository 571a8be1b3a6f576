import { describe, expect, it } from 'vitest';
import { calling, givenActionPlace, givenRunHold, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenFlagIn } from '../../apps/server/testing/flags.ts';
import { givenHold } from '../../apps/server/testing/holds.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint } from '../../apps/server/testing/signals.ts';
import { expectAccessible, logIn, useBrowser } from './browser.ts';

describe('the page Now', () => {
  const server = useServer();
  const open = useBrowser();

  it('is the first page, and releases all holds of a flag with two taps on a phone', async () => {
    const flag = await givenFlagIn(server(), 'development');
    await givenHold(server(), flag, { effect: 'off', reason: 'Error rate of the checkout', key: 'alert' });
    await givenHold(server(), flag, { effect: 'rollout', rollout: 20, key: 'rollout' });
    const window = await open(server(), { width: 390 });
    const { page } = window;
    await logIn(window);
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    await page.getByText('Error rate of the checkout').waitFor();
    await page.getByText('When released: still held at 20 %').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await page.getByRole('button', { name: `Release all 2 ${flag.featureName}` }).click();
    await page.getByText('then off, as configured').waitFor();
    await page.getByRole('button', { name: 'Release 2 holds' }).click();
    await page.getByText('Nothing is held').waitFor();
  });

  it('tells on every other page that flags are held, live, and links to Now', async () => {
    const window = await open(server());
    const { page } = window;
    await logIn(window, '/projects');
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(await page.getByRole('link', { name: 'View and release' }).count()).toBe(0);
    const flag = await givenFlagIn(server(), 'development');
    await givenHold(server(), flag, { effect: 'on' });
    await page.getByText(`1 hold: ${flag.featureName} is held on in development`).waitFor();
    await page.getByRole('link', { name: 'View and release' }).click();
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
  });

  it('shows runs that failed, and the signals and changes of the last hour', async () => {
    const place = await givenActionPlace(server());
    const actions = [calling(place, 'https://8.8.8.8/{{missing}}')];
    await givenSet(server(), { name: 'Roll back', actions }, place);
    await signal(server(), place);
    const window = await open(server());
    const { page } = window;
    await logIn(window);
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'Roll back' }).waitFor();
    const lastHour = page.getByRole('region', { name: 'Last hour' });
    await lastHour.getByText(`signal of ${place.endpoint.name}`).waitFor();
    await expectAccessible(page);
  });

  it('shows an endpoint that expects signals and gets none', async () => {
    const endpoint = await givenEndpoint(server());
    const window = await open(server());
    const { page } = window;
    await logIn(window, `/integrations/signals?edit=${endpoint.id}`);
    await page.getByRole('button', { name: 'Fields, dropped values and times' }).click();
    await page.getByLabel('Expects a signal every … minutes').fill('5');
    await page.getByRole('button', { name: 'Save signal endpoint' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    server().clock.advance(6 * 60_000);
    await server().app.service.jobs.runDue();
    await page.goto('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('One is expected every 5 minutes').waitFor();
    await expectAccessible(page);
    await attention.getByRole('link', { name: endpoint.name }).click();
    await page.getByText('Silent since').waitFor();
  });

  it('is not the only place: a flag is held on its page, and looks held in its project', async () => {
    const flag = await givenFlagIn(server(), 'development');
    await givenHold(server(), flag, { effect: 'on', key: 'experiment' });
    const window = await open(server());
    const { page } = window;
    await logIn(window, `/projects/${flag.projectId}/features/${flag.featureName}`);
    const card = page.getByRole('region', { name: 'development', exact: true });
    await card.getByRole('button', { name: 'Hold', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
    await dialog.getByText('Say why').waitFor();
    await dialog.getByLabel('Why').fill('Errors of the checkout');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
    await card.getByText('held off by').waitFor();
    await card.getByText('1 more hold, not in force').waitFor();
    await expectAccessible(page);
    await page.goto(`/projects/${flag.projectId}`);
    await page.getByRole('img', { name: 'held' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Holds' }).click();
    await page.getByRole('option', { name: 'Held' }).click();
    await page.getByRole('link', { name: flag.featureName, exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('lets a person with the role On call release what actions hold, with three taps on a phone', async () => {
    const flag = await givenRunHold(server());
    const viewer = await givenUser(server(), 'On call');
    const window = await open(server(), { width: 390 });
    const { page } = window;
    await logIn(window, '/', viewer);
    await page.getByRole('button', { name: `Release ${flag.featureName}` }).click();
    await page.getByRole('button', { name: 'Release hold' }).click();
    const overridden = page.getByRole('region', { name: 'Automation overridden' });
    await overridden.getByText('Released by hand').waitFor();
    expect(await page.getByRole('button', { name: 'Freeze all automation' }).count()).toBe(1);
    await page.goto(`/projects/${flag.projectId}/features/${flag.featureName}`);
    await page.getByText('Automation is overridden').waitFor();
    expect(await page.getByRole('switch', { name: /development/ }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });

  it('offers to override automation to the person who switches a flag that it holds in the other state', async () => {
    const flag = await givenRunHold(server());
    const window = await open(server());
    const { page } = window;
    await logIn(window, `/projects/${flag.projectId}/features/${flag.featureName}`);
    const control = page.getByRole('switch', { name: `${flag.featureName} in development` });
    const dialog = page.getByRole('dialog', { name: `Override automation of ${flag.featureName} in development` });
    await control.press(' ');
    await page.getByText(`${flag.featureName} is configured off in development.`).waitFor();
    expect(await dialog.count()).toBe(0);
    await control.press(' ');
    await dialog.getByText('is configured on now, and is still held off by').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Why').fill('The alert is wrong');
    await dialog.getByRole('button', { name: 'Override', exact: true }).click();
    await page.getByText('Automation is overridden').waitFor();
    await page.getByText('Configured on, held off by').waitFor({ state: 'detached' });
  });

  it('keeps automation off a flag after a release, so that the next signal does not hold it again', async () => {
    const flag = await givenRunHold(server());
    const window = await open(server());
    const { page } = window;
    await logIn(window);
    await page.getByRole('button', { name: `Release ${flag.featureName}` }).click();
    await page.getByText('then on, as configured').waitFor();
    await page.getByRole('combobox', { name: 'Then keep automation off' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Release hold' }).click();
    const overridden = page.getByRole('region', { name: 'Automation overridden' });
    await overridden.getByText('Released by hand').waitFor();
    await expectAccessible(page);
    await page.goto(`/projects/${flag.projectId}/features/${flag.featureName}`);
    await page.getByText('Automation is overridden').waitFor();
    const card = page.getByRole('region', { name: 'development', exact: true });
    await card.getByRole('button', { name: 'Override automation' }).click();
    await page.getByRole('dialog').getByLabel('Why').fill('Longer than an hour');
    await page.getByRole('dialog').getByRole('button', { name: 'Override', exact: true }).click();
    await card.getByText('Longer than an hour').waitFor();
    await expectAccessible(page);
    await card.getByRole('button', { name: `End override of ${flag.featureName}` }).click();
    await page.getByText('Automation is overridden').waitFor({ state: 'detached' });
  });
});
