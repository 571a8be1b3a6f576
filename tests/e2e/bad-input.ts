import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { settled, type Window } from './browser.ts';

/** A form, input that the server refuses, and input that it accepts. */
export interface BadInput {
  readonly form: string;
  /** The page that it is on. */
  readonly at: string;
  /** Opens the form from the page; absent when the page shows the form. */
  readonly open?: (page: Page) => Promise<void>;
  /** Runs while the form is filled in, such as another user taking the name. */
  readonly meanwhile?: () => Promise<unknown>;
  /** Texts by the label of their field, of which nothing is refused. */
  readonly typed?: Readonly<Record<string, string>>;
  /** Choices in lists, by label. */
  readonly chosen?: Readonly<Record<string, string>>;
  /** The label of the field, a value that it refuses, and a value that it accepts. */
  readonly field: string;
  readonly refused: string;
  readonly taken: string;
  /** The label of the button. */
  readonly submit: string;
  /** The state on the server: unchanged after a refusal, changed once the form is accepted. */
  readonly state: () => Promise<unknown>;
}

/**
 * Expects that a refused input is reported at its field, visibly and to screen readers; that nothing changed on the
 * server and no typed text is lost; and that the corrected input is accepted.
 */
export async function expectMendable(window: Window, input: BadInput): Promise<void> {
  const { page, complaints } = window;
  await page.goto(input.at);
  await settled(window);
  await input.open?.(page);
  const open = page.getByRole('dialog').last();
  const form: Page | Locator = (await open.count()) > 0 ? open : page;
  const field = (label: string) => form.getByRole('textbox', { name: label, exact: true }).or(dateIn(form, label));
  for (const [label, option] of Object.entries(input.chosen ?? {})) {
    await form.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  const typed = { ...input.typed, [input.field]: input.refused };
  for (const [label, text] of Object.entries(typed)) await field(label).fill(text);
  await input.meanwhile?.();
  const before = await input.state();

  const refusal = page.waitForResponse((response) => response.status() >= 400 && response.request().method() !== 'GET');
  await form.getByRole('button', { name: input.submit, exact: true }).click();
  await refusal;
  const wrong = field(input.field);
  await expect.poll(() => wrong.getAttribute('aria-invalid'), { interval: 20 }).toBe('true');
  expect(await describedBy(page, wrong)).toMatch(/\w/);
  for (const [label, text] of Object.entries(typed))
    expect([label, await field(label).inputValue()]).toEqual([label, text]);
  for (const [label, option] of Object.entries(input.chosen ?? {}))
    expect(await form.getByRole('combobox', { name: label, exact: true }).inputValue()).toBe(option);
  expect(await input.state()).toEqual(before);
  // The browser logs each refusal to its console.
  expect(complaints().filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);

  await wrong.fill(input.taken);
  await form.getByRole('button', { name: input.submit, exact: true }).click();
  await expect.poll(input.state, { interval: 20 }).not.toEqual(before);
  expect(complaints()).toEqual([]);
}

/** A field for a date or a time is no text box to who does not see it. */
function dateIn(form: Page | Locator, label: string): Locator {
  return form.getByLabel(label, { exact: true }).and(form.locator('input[type^=date]'));
}

/** Returns the message of the field: the text of its accessible description. */
export async function describedBy(page: Page, field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const texts = await Promise.all(
    ids.filter((id) => id.endsWith('-error')).map((id) => page.locator(`[id="${id}"]`).textContent()),
  );
  return texts.join(' ');
}
