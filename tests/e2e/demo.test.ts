import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, settled, useBrowser } from './browser.ts';
import { type DemoAtAlert, startAtAlert } from './demo-at-alert.ts';
import { scenes } from './demo-scenes.ts';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
/** `SCREENSHOTS=true npm run test:e2e -- tests/e2e/demo.test.ts` takes the pictures of the guides again. */
const takesPictures = process.env.SCREENSHOTS === 'true';

describe('the demo, while its alert fires', () => {
  const open = useBrowser();
  let demo: DemoAtAlert;
  beforeAll(async () => {
    demo = await startAtAlert();
  }, 90_000);
  afterAll(() => demo?.stop(), 60_000);

  it.each(scenes)('shows the picture $name, $width px wide', async ({ name, path, width, shown }) => {
    const window = await open(demo, { at: path, as: demo.who, width });
    const { page } = window;
    await shown(page);
    await settled(window);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(window.complaints()).toEqual([]);
    if (takesPictures) await page.screenshot({ path: `${docs}/pictures/${name}.png` });
  });
});

it('each picture of a page is in a guide, and is one of these', () => {
  const taken = readdirSync(`${docs}/pictures`).filter((name) => name.endsWith('.png'));
  expect(taken.toSorted()).toEqual(scenes.map(({ name }) => `${name}.png`).toSorted());
  const guides = readdirSync(`${docs}/guides`).map((name) => readFileSync(`${docs}/guides/${name}`, 'utf8'));
  expect(taken.filter((name) => !guides.some((text) => text.includes(`(../pictures/${name})`)))).toEqual([]);
});
