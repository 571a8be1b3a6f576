import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { givenProject } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

const count = 5000;
const nameOf = (at: number) => `flag-${String(at).padStart(4, '0')}`;

/**
 * Limits in milliseconds. They are thirty times a noticeable pause, because other tests use the processor too: a slow
 * machine took 1.8 and 1.1 s.
 */
const generous = { filter: 6000, task: 3000 };

describe('a project with 5,000 flags', () => {
  const server = useServer();
  const open = useBrowser();

  it('scrolls to its end and filters without a visible delay', async () => {
    const projectId = await givenManyFlags(server());
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}` });
    await page.getByText('5,000 flags').waitFor();
    await page.getByRole('link', { name: nameOf(0) }).waitFor();
    await page.evaluate(watchTasks);

    await page.mouse.move(640, 600);
    for (let times = 0; times < 12; times += 1) {
      await page.mouse.wheel(0, 500);
      await page.waitForTimeout(30);
    }
    // This flag is not on the first page of results, which is loaded together with the page.
    const far = page.getByRole('link', { name: nameOf(100) });
    await far.waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await far.focus();
    // Pressed repeatedly: a wheel movement that is still being drawn cancels the jump to the end.
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return page.getByRole('link', { name: nameOf(count - 1) }).count();
      })
      .toBe(1);
    expect(await page.getByRole('row').last().getAttribute('aria-rowindex')).toBe(String(count + 1));
    // The row with the focus is still in the document, so that Tab continues from there.
    expect(await page.evaluate('document.activeElement.textContent')).toBe(nameOf(100));
    const tasks = (await page.evaluate('tasks')) as number[];

    await page.keyboard.press('Home');
    await page.getByLabel('Search flags').focus();
    const filter = await timeOfFilter(page, '-049', '10 flags', 'flag-0490');
    console.info(
      `filtered after ${filter} ms; tasks over 50 ms while scrolling: ${tasks.length}, the longest ${Math.max(0, ...tasks)} ms`,
    );
    expect(filter).toBeLessThan(generous.filter);
    expect(Math.max(0, ...tasks)).toBeLessThan(generous.task);

    await page.getByRole('checkbox', { name: 'Select all matching flags' }).check();
    await page.getByText('10 selected').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'flag-0495' }).click();
    await page.getByRole('heading', { name: 'flag-0495', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('10 flags').waitFor();
    expect(await page.getByLabel('Search flags').inputValue()).toBe('-049');
    expect(complaints()).toEqual([]);
  });
});

async function givenManyFlags(server: Parameters<typeof givenProject>[0]): Promise<string> {
  const project = await givenProject(server);
  const features = Array.from({ length: count }, (_, at) => ({
    name: nameOf(at),
    type: 'release',
    description: at % 3 === 0 ? `What flag ${at} is for, in a sentence` : '',
  }));
  const { status, text } = await server.admin.call('POST /api/admin/features-batch/import', {
    body: { project, environment: 'development', data: { features } },
  });
  expect([status, text]).toEqual([200, expect.anything()]);
  return project;
}

/** A script that stores in `window.tasks` the milliseconds of each task of the page that takes longer than 50. */
const watchTasks = `window.tasks = []; new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.tasks.push(duration);
}).observe({ type: 'longtask' })`;

/** Measures the milliseconds from the last typed character until the table has only the matching flags. */
async function timeOfFilter(page: Page, words: string, total: string, first: string): Promise<number> {
  await page.evaluate(`document.addEventListener('input', () => { window.typed = performance.now(); }, true);
    (function look() {
      const isThere = document.body.innerText.includes(${JSON.stringify(total)});
      if (isThere && document.querySelector('tbody a')?.textContent === ${JSON.stringify(first)}) window.shown = performance.now();
      else requestAnimationFrame(look);
    })()`);
  await page.keyboard.type(words);
  await expect.poll(() => page.evaluate('window.shown > window.typed'), { timeout: 10_000 }).toBe(true);
  return Math.round((await page.evaluate('window.shown - window.typed')) as number);
}
