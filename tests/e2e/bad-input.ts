import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { settled, type Window } from './browser.ts';

/** A form, input that the server refuses, and input that it accepts. */
export interface BadInput {
  readonly form: string;
  /** The path of the page with the form. */
  readonly at: string;
  /** Opens the form from the page; absent when the page shows the form. */
  readonly open?: (page: Page) => Promise<void>;
  /** Runs while the form is filled in, such as another user taking the name. */
  readonly meanwhile?: () => Promise<unknown>;
  /** Valid texts for other fields, by label. */
  readonly typed?: Readonly<Record<string, string>>;
  /** Choices in lists, by label. */
  readonly chosen?: Readonly<Record<string, string>>;
  /** The label of the tested field, a value that is refused, and a value that is accepted. */
  readonly field: string;
  readonly refused: string;
  readonly taken: string;
  /** The label of the button. */
  readonly submit: string;
  /** Returns the state on the server, which must be unchanged after a refusal and changed once the form is accepted. */
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
  // A dialog may wait for its data.
  await settled(window);
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

/** Returns a date or time field with this label: its role is not `textbox`. */
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
