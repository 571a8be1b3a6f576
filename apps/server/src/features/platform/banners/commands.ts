import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type Banner, bannerDefaults, presentBanner } from './banner.ts';
import * as store from './store.ts';

/** Changes of a banner; undefined fields stay. */
export type BannerChanges = {
  readonly [Key in Exclude<keyof Banner, 'id' | 'createdAt'>]?: Banner[Key] | undefined;
};

/** Creates a banner. */
export async function createBanner(tx: Tx, input: BannerChanges & { readonly message: string }): Promise<Banner> {
  const banner = await store.insertBanner(tx, {
    ...bannerDefaults,
    ...definedFields(input),
    message: input.message,
    createdAt: tx.now,
  });
  tx.record({ type: 'banner-created', data: presentBanner(banner) });
  return banner;
}

/**
 * Updates the given fields of a banner. Rejects with 404 when there is none. Records an event only when a field
 * changes.
 */
export async function updateBanner(tx: Tx, id: number, input: BannerChanges): Promise<Banner> {
  const before = await requireBanner(tx.db, id);
  const after: Banner = { ...before, ...definedFields(input) };
  const [preData, data] = [presentBanner(before), presentBanner(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  await store.updateBannerRow(tx, after);
  tx.record({ type: 'banner-updated', preData, data });
  return after;
}

/** Deletes a banner. Rejects with 404 when there is none. */
export async function deleteBanner(tx: Tx, id: number): Promise<void> {
  const banner = await requireBanner(tx.db, id);
  await store.deleteBannerRow(tx, id);
  tx.record({ type: 'banner-deleted', preData: presentBanner(banner) });
}

async function requireBanner(db: Db, id: number): Promise<Banner> {
  const banner = await store.findBanner(db, id);
  if (banner === undefined) throw new Problem('NotFoundError', `There is no banner ${id}.`);
  return banner;
}

function definedFields(input: BannerChanges): Partial<Banner> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
