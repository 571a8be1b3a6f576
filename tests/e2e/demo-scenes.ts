import type { Page } from 'playwright-core';

/** A page of the demo while its alert fires, of which a picture is taken. */
export interface Scene {
  /** The name of the picture, without `.png`. */
  readonly name: string;
  readonly path: string;
  /** The width of the window in pixels. */
  readonly width: number;
  /** Waits until the page shows the contents that the picture is about. */
  readonly shown: (page: Page) => Promise<void>;
}

/** The pictures of the guides. */
export const scenes: readonly Scene[] = [
  { name: 'now', path: '/personal', width: 1280, shown: heldNow },
  { name: 'now-phone', path: '/personal', width: 390, shown: heldNow },
  {
    name: 'held-flag',
    path: '/projects/checkout/features/new-checkout',
    width: 1280,
    shown: async (page) => {
      const plan = page.getByRole('region', { name: /^Release plan/ });
      await plan.getByText('Halted by a hold').waitFor();
      await plan.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'incident',
    path: '/incidents',
    width: 1280,
    shown: async (page) => {
      await page
        .getByRole('link', { name: /CheckoutErrors/ })
        .first()
        .click();
      await page.getByRole('region', { name: 'Summary' }).waitFor();
    },
  },
  {
    name: 'actions',
    path: '/actions',
    width: 1280,
    shown: async (page) => {
      await page.getByRole('heading', { name: 'Actions', level: 1 }).waitFor();
      await page.getByText('new-checkout').first().waitFor();
    },
  },
];

async function heldNow(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Held flags' }).getByRole('link', { name: 'new-checkout' }).waitFor();
}
