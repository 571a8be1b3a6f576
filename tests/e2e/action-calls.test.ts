import { describe, expect, it } from 'vitest';
import { calling, givenActionPlace, givenSet, runsOf, signal } from '../../apps/server/testing/actions.ts';
import { useReceiver } from '../../apps/server/testing/receiver.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('the calls of actions', () => {
  const server = useServer({ allowPrivateIntegrationUrls: true });
  const receiver = useReceiver();
  const open = useBrowser();

  it('show their attempts on the page of the run, and failed calls are sent again', async () => {
    const place = await givenActionPlace(server());
    const set = await givenSet(server(), { actions: [calling(place, `${receiver().url}/rollback`)] }, place);
    receiver().answer('/rollback', 404);
    await signal(server(), set);
    const [{ id }] = await runsOf(server(), set);
    const { page } = await open(server(), { at: `/runs/${id}` });
    await page.getByText('404', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Redeliver failed calls' }).click();
    await page.getByText('1 call is sent again.').waitFor();
    await page.getByText('200', { exact: true }).waitFor();
    expect(receiver().received).toHaveLength(2);
  });

  it('are verified with a public key, which an administrator can rotate', async () => {
    const { page } = await open(server(), { at: '/integrations' });
    await page.getByRole('button', { name: 'Action calls' }).click();
    const key = page.getByText(/^whpk_/);
    const before = await key.textContent();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByText('The previous key.').waitFor();
    expect(await key.count()).toBe(2);
    expect(await key.nth(1).textContent()).toBe(before);
  });
});
