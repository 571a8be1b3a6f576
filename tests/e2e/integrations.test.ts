import { automationEventTypes } from '@yardarm/contract/event-types';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { logIn, useBrowser } from './browser.ts';

describe('the form of an integration', () => {
  const server = useServer();
  const open = useBrowser();

  it.each([1280, 380])('selects what automation does in one step, at %i px', async (width) => {
    const window = await open(server());
    const { page } = window;
    await page.setViewportSize({ width, height: 900 });
    await logIn(window, '/integrations');
    await page.getByRole('button', { name: /^Slack app/ }).click();
    const form = page.getByRole('dialog', { name: 'New Slack app integration' });
    await form.getByLabel('Description').fill(`What automation does ${width}`);
    await form.getByRole('button', { name: 'Tell this channel what automation does' }).click();
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await form.getByLabel('Access token').fill('xoxb-1');
    await form.getByRole('textbox', { name: 'Channel' }).fill('on-call');
    await form.getByRole('button', { name: 'Create integration' }).click();
    await page.getByRole('dialog', { name: 'Signing key' }).waitFor();
    const { addons } = (await server().admin.call('GET /api/admin/addons')).json;
    const created = addons.find(
      (addon: { description: string }) => addon.description === `What automation does ${width}`,
    );
    expect(created).toMatchObject({ provider: 'slack-app', events: [...automationEventTypes] });
  });
});
