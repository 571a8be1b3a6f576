import { describe, expect, it } from 'vitest';
import { givenSet } from '../../apps/server/testing/actions.ts';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, settled, useBrowser } from './browser.ts';

const width = 380;

describe('phone layout', () => {
  const server = useServer();
  const open = useBrowser();

  it('shows the switches of all environments of a flag, and switches production', async () => {
    const { featureName } = await givenFlag(server(), { name: 'a-flag-with-a-name-that-is-rather-long' });
    const window = await open(server(), { at: '/projects/default', width });
    const { page } = window;
    const production = page.getByRole('switch', { name: `${featureName} in production` });
    await production.waitFor({ state: 'attached' });
    await settled(window);
    for (const control of await page.getByRole('switch').all()) {
      const box = await control.boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true);
    }
    await production.press(' ');
    await page.getByText(`${featureName} is on in production.`).waitFor();
    await expectAccessible(page);
    expect(window.complaints()).toEqual([]);
  });

  it('shows whether actions, endpoints and environments are enabled', async () => {
    const { projectId } = await givenSet(server(), { name: 'Roll back what an alert names' });
    const window = await open(server(), { at: '/', width });
    const { page } = window;
    for (const path of [`/projects/${projectId}/settings/actions`, '/integrations/signals', '/environments']) {
      await page.goto(path);
      const control = page.getByRole('table').getByRole('switch').first();
      await control.waitFor({ state: 'attached' });
      await settled(window);
      const box = await control.boundingBox();
      expect([path, box !== null && box.x >= 0 && box.x + box.width <= width]).toEqual([path, true]);
    }
    expect(window.complaints()).toEqual([]);
  });
});
