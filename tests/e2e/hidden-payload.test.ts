import { describe, expect, it } from 'vitest';
import { givenRole } from '../../apps/server/testing/access.ts';
import { givenFailedCall, givenSet, runsOf } from '../../apps/server/testing/actions.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, logIn, settled, useBrowser } from './browser.ts';

describe('a person who may read actions, but not signals', () => {
  const server = useServer({ signalEndpointsLimit: 100 });
  const open = useBrowser();

  /** Creates a user whose role may only read actions. */
  const givenReader = async () => {
    const { name } = await givenRole(server(), { type: 'root-custom', permissions: [{ name: 'READ_ACTIONS' }] });
    return givenUser(server(), name);
  };

  it('reads on the page of a run that the payload is hidden, and which permission shows it', async () => {
    const { set, params } = await givenFailedCall(server());
    const { page } = await open(server(), { at: `/runs/${params.runId}`, as: await givenReader(), width: 390 });
    const filters = page.getByRole('region', { name: 'Filters' });
    await filters.getByText('The results of the filters are hidden. You need the permission READ_SIGNALS.').waitFor();
    const payload = page.getByRole('region', { name: 'Signal' });
    await payload.getByText('The payload is hidden. You need the permission READ_SIGNALS.').waitFor();
    expect(await page.getByText('deleted').count()).toBe(0);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    const [{ signalId }] = await runsOf(server(), set);
    await page.goto(`/history?received=${signalId}`);
    const drawer = page.getByRole('dialog');
    await drawer.getByText('No changes: 1 run changed no flag.').waitFor();
    await expectAccessible(page);
    await drawer.getByRole('link', { name: '1 run', exact: true }).click();
    await page.getByRole('heading', { name: `Run ${params.runId}`, level: 1 }).waitFor();
  });

  it('gets no form of an action, however the page is opened', async () => {
    const { projectId, id } = await givenSet(server());
    const window = await open(server(), {
      at: `/projects/${projectId}/settings/actions?edit=${id}`,
      as: await givenReader(),
    });
    const { page } = window;
    await page.getByRole('table').waitFor();
    await settled(window);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await logIn(window, `/projects/${projectId}/settings/actions?edit=${id}`);
    await page.getByRole('dialog', { name: 'Edit action' }).waitFor();
  });
});
