import { deleteDependencies, putDependency } from '#features/flags/dependencies/index.ts';
import {
  deleteTag,
  insertFeatures,
  insertTags,
  recordEventsWithTags,
  setArchivedAt,
  updateFeatures,
} from '#features/flags/feature/index.ts';
import { deleteLinkRow, insertLinks, updateLinkRow } from '#features/flags/links/index.ts';
import { putStates } from '#features/flags/states/index.ts';
import {
  deleteStrategyRows,
  insertStrategies,
  strategyEventData,
  updateStrategyRow,
} from '#features/flags/strategies/index.ts';
import { ensureTags, includesTag } from '#features/flags/tags/index.ts';
import { putVariants } from '#features/flags/variants/index.ts';
import { mapYielding } from '#kernel/event-loop.ts';
import { chunksOf } from '#kernel/lists.ts';
import { isSameJson } from '#kernel/same-json.ts';
import type { Tx } from '#storage/tx.ts';
import { eventsOfPlan } from './events.ts';
import type { FlagPlan } from './plan.ts';

/**
 * Applies changes of flags that were planned in the same transaction, and records their events. Parts of a flag that
 * the change does not concern may be left out before and after. New rows are inserted together, changed rows
 * take one statement each, and unchanged flags take none.
 */
export async function writeFlags(tx: Tx, all: readonly FlagPlan[]): Promise<void> {
  const withEvents = await mapYielding(all, (plan) => ({ ...plan, events: eventsOfPlan(plan) }));
  const plans = withEvents.filter(({ events }) => events.length > 0);
  await ensureTags(
    tx,
    plans.flatMap(({ before, after }) => after.tags.filter((tag) => !includesTag(before?.tags ?? [], tag))),
    (index) => `tags.${index}.type`,
  );
  await writeFeatures(tx, plans);
  await writeTags(tx, plans);
  await writeLinks(tx, plans);
  await writeEnvironments(tx, plans);
  await writeDependencies(tx, plans);
  const isOfDependency = ({ type }: { readonly type: string }) => type.startsWith('feature-dependenc');
  await mapYielding(plans, ({ after, events }) =>
    recordEventsWithTags(tx, after.feature, after.tags, ...events.filter((event) => !isOfDependency(event))),
  );
  // Dependency events go last, so that the log has the events of a parent flag before those of its children.
  await mapYielding(plans, ({ after, events }) =>
    recordEventsWithTags(tx, after.feature, after.tags, ...events.filter(isOfDependency)),
  );
}

async function writeFeatures(tx: Tx, plans: readonly FlagPlan[]): Promise<void> {
  await insertFeatures(
    tx,
    plans.filter(({ before }) => before === undefined).map(({ after }) => after.feature),
  );
  const present = plans.flatMap(({ before, after }) =>
    before === undefined ? [] : [{ before: before.feature, after: after.feature }],
  );
  const revived = present.filter(({ before, after }) => before.archivedAt !== after.archivedAt);
  for (const part of chunksOf(revived.map(({ after }) => after.name))) await setArchivedAt(tx, part, null);
  await updateFeatures(tx, present);
}

async function writeTags(tx: Tx, plans: readonly FlagPlan[]): Promise<void> {
  await insertTags(
    tx,
    plans.flatMap(({ before, after }) =>
      after.tags
        .filter((tag) => !includesTag(before?.tags ?? [], tag))
        .map((tag) => ({ featureName: after.feature.name, ...tag })),
    ),
  );
  for (const { before, after } of plans) {
    const removed = before?.tags.filter((tag) => !includesTag(after.tags, tag)) ?? [];
    for (const tag of removed) await deleteTag(tx, [after.feature.name], tag);
  }
}

async function writeLinks(tx: Tx, plans: readonly FlagPlan[]): Promise<void> {
  const added = plans.flatMap(({ before, after }) =>
    after.links.filter(({ id }) => before?.links.some((link) => link.id === id) !== true),
  );
  await insertLinks(tx, added);
  for (const { before, after } of plans) {
    for (const old of before?.links ?? []) {
      const link = after.links.find(({ id }) => id === old.id);
      if (link === undefined) await deleteLinkRow(tx, old.id);
      else if (link.title !== old.title) await updateLinkRow(tx, link);
    }
  }
}

async function writeEnvironments(tx: Tx, plans: readonly FlagPlan[]): Promise<void> {
  const places = plans.flatMap(({ before, after }) =>
    [...after.environments].map(([environment, state]) => ({
      featureName: after.feature.name,
      environment,
      old: before?.environments.get(environment),
      state,
    })),
  );
  await putStates(
    tx,
    places.flatMap(({ featureName, environment, old, state: { enabled } }) =>
      old?.enabled === enabled ? [] : [{ featureName, environment, enabled, isNew: old === undefined }],
    ),
  );
  const added = places.flatMap(({ old, state }) =>
    state.strategies.filter(({ id }) => old?.strategies.some((strategy) => strategy.id === id) !== true),
  );
  await insertStrategies(tx, added);
  const removed: string[] = [];
  for (const { featureName, environment, old, state } of places) {
    for (const strategy of old?.strategies ?? []) {
      const now = state.strategies.find(({ id }) => id === strategy.id);
      if (now === undefined) removed.push(strategy.id);
      else if (!isSameJson(strategyEventData(strategy), strategyEventData(now)))
        await updateStrategyRow(tx, strategy, now);
    }
    if (!isSameJson(old?.variants ?? [], state.variants))
      await putVariants(tx, featureName, environment, state.variants);
  }
  await deleteStrategyRows(tx, removed);
}

async function writeDependencies(tx: Tx, plans: readonly FlagPlan[]): Promise<void> {
  for (const { before, after } of plans) {
    const { dependency, feature } = after;
    if (isSameJson(before?.dependency ?? null, dependency ?? null)) continue;
    if (dependency === undefined) await deleteDependencies(tx, [feature.name]);
    else await putDependency(tx, dependency);
  }
}
