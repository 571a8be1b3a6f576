import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Reply } from '../../apps/server/testing/client.ts';
import { settled, type Window } from './browser.ts';

/** A form in which a user edits one field while a colleague changes another field of the same row. */
interface SharedForm {
  /** The path of the page with the form. */
  readonly at: string;
  /** Opens the form from the page; absent when the page shows the form. */
  readonly open?: (page: Page) => Promise<void>;
  /** The label of the field that the user edits, and its new text: "of the user" when absent. */
  readonly field: string;
  readonly text?: string;
  /** The change of the colleague, after the form was opened. */
  readonly colleague: () => Promise<Reply>;
  /** The label of the button. */
  readonly submit: string;
  /** Returns the row on the server. */
  readonly state: () => Promise<unknown>;
  /** The fields of the row with both changes. */
  readonly both: object;
}

/** Expects that saving a form keeps what a colleague has changed since the form was opened. */
export async function expectBothKept(window: Window, shared: SharedForm): Promise<void> {
  const { page, complaints } = window;
  const form = await openForm(window, shared);
  await form
    .getByRole('textbox', { name: shared.field, exact: true })
    .first()
    .fill(shared.text ?? 'of the user');
  const { status, text } = await shared.colleague();
  expect(status, text).toBeLessThan(300);
  const saved = page.waitForResponse((response) => ['PUT', 'POST'].includes(response.request().method()));
  await form.getByRole('button', { name: shared.submit, exact: true }).click();
  expect((await saved).status()).toBeLessThan(300);
  expect(await shared.state()).toMatchObject(shared.both);
  expect(complaints()).toEqual([]);
}

/** Opens a form and waits until it has its data. */
async function openForm(window: Window, { at, open }: Pick<SharedForm, 'at' | 'open'>): Promise<Page | Locator> {
  const { page } = window;
  await page.goto(at);
  await settled(window);
  await open?.(page);
  await settled(window);
  const dialog = page.getByRole('dialog').last();
  return (await dialog.count()) > 0 ? dialog : page;
}

/** Returns a function that opens the menu of a row (its three dots) and chooses an entry. */
export const editing =
  (of: string, entry = 'Edit') =>
  async (page: Page) => {
    await page.getByRole('button', { name: `Actions for ${of}`, exact: true }).click();
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
  };
