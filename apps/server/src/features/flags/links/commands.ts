import { type FeatureRef, recordEvents, requireUsable } from '#features/flags/feature/index.ts';
import { Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type Link, linkEventData, maxLinks, titleOf } from './link.ts';
import { deleteLinkRow, insertLinks, listLinks, updateLinkRow } from './store.ts';

export interface LinkInput {
  readonly url: string;
  readonly title?: string | null | undefined;
}

export interface LinkRef extends FeatureRef {
  readonly id: string;
}

/** Adds a link to a flag. Rejects with 403 when the flag has {@link maxLinks} links. */
export async function addLink(tx: Tx, ref: FeatureRef, input: LinkInput): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  if ((await listLinks(tx.db, [feature.name])).length >= maxLinks) {
    throw new Problem(
      'InvalidOperationError',
      `The flag ${feature.name} has ${maxLinks} links, which is the limit. Remove a link first.`,
    );
  }
  const link: Link = { id: newId(), featureName: feature.name, url: input.url, title: titleOf(input) };
  await insertLinks(tx, [link]);
  await recordEvents(tx, feature, { type: 'feature-link-added', data: linkEventData(link) });
}

/** Updates a link. Records no event when nothing changes. */
export async function updateLink(tx: Tx, ref: LinkRef, input: LinkInput): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  const before = await requireLink(tx.db, ref);
  const after: Link = { ...before, url: input.url, title: titleOf(input) };
  if (before.url === after.url && before.title === after.title) return;
  await updateLinkRow(tx, after);
  const [preData, data] = [linkEventData(before), linkEventData(after)];
  await recordEvents(tx, feature, { type: 'feature-link-updated', preData, data });
}

/** Removes a link from a flag. */
export async function removeLink(tx: Tx, ref: LinkRef): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  const link = await requireLink(tx.db, ref);
  await deleteLinkRow(tx, link.id);
  await recordEvents(tx, feature, { type: 'feature-link-removed', preData: linkEventData(link) });
}

async function requireLink(db: Db, { id, featureName }: LinkRef): Promise<Link> {
  const link = (await listLinks(db, [featureName])).find((present) => present.id === id);
  if (link === undefined) throw new Problem('NotFoundError', `The flag ${featureName} has no link ${id}.`);
  return link;
}
