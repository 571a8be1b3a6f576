import { isDeepStrictEqual } from 'node:util';
import { presentDependency } from '#features/flags/dependencies/index.ts';
import type { FeatureEvent } from '#features/flags/feature/index.ts';
import { featureEventData } from '#features/flags/feature/index.ts';
import { linkEventData } from '#features/flags/links/index.ts';
import { strategyEventData } from '#features/flags/strategies/index.ts';
import { includesTag } from '#features/flags/tags/index.ts';
import { isSameJson } from '#kernel/same-json.ts';
import { type FlagDefinition, type FlagInEnvironment, flagOff, off } from './flag-definition.ts';
import type { FlagPlan } from './plan.ts';
import { revived } from './plan.ts';

/** An event that applying a plan records. */
export type PlanEvent = FeatureEvent & {
  readonly type:
    | 'feature-created'
    | 'feature-revived'
    | 'feature-metadata-updated'
    | 'feature-stale-on'
    | 'feature-stale-off'
    | 'feature-tagged'
    | 'feature-untagged'
    | 'feature-link-added'
    | 'feature-link-updated'
    | 'feature-link-removed'
    | 'feature-strategy-add'
    | 'feature-strategy-update'
    | 'feature-strategy-remove'
    | 'feature-environment-variants-updated'
    | 'feature-environment-enabled'
    | 'feature-environment-disabled'
    | 'feature-dependency-added'
    | 'feature-dependency-removed'
    | 'feature-dependencies-removed';
};

/**
 * Returns the events that applying a plan records, in order. They are the events that the commands would record if each
 * change was made on its own.
 */
export function eventsOfPlan({ before, after }: FlagPlan): PlanEvent[] {
  const from = before === undefined ? created(after) : revived(before);
  return [
    ...(before === undefined ? [createdEvent(after)] : []),
    ...(before !== undefined && before !== from ? [{ type: 'feature-revived' as const }] : []),
    ...metadataEvents(from, after),
    ...tagEvents(from, after),
    ...linkEvents(from, after),
    ...[...after.environments].flatMap(([environment, state]) =>
      environmentEvents(environment, from.environments.get(environment) ?? off, state),
    ),
    ...dependencyEvents(from, after),
  ];
}

/** Returns a flag as it is right after its creation: not stale, without tags, links, dependency and environments. */
function created({ feature }: FlagDefinition): FlagDefinition {
  return flagOff({ ...feature, stale: false }, []);
}

function createdEvent({ feature, tags }: FlagDefinition): PlanEvent {
  return { type: 'feature-created', data: featureEventData({ ...feature, stale: false }, tags) };
}

function metadataEvents(from: FlagDefinition, { feature }: FlagDefinition): PlanEvent[] {
  const events: PlanEvent[] = [];
  const preData = featureEventData(from.feature, from.tags);
  const data = featureEventData({ ...feature, stale: from.feature.stale }, from.tags);
  if (!isDeepStrictEqual(preData, data)) events.push({ type: 'feature-metadata-updated', preData, data });
  if (feature.stale !== from.feature.stale)
    events.push({ type: feature.stale ? 'feature-stale-on' : 'feature-stale-off' });
  return events;
}

function tagEvents(from: FlagDefinition, after: FlagDefinition): PlanEvent[] {
  const added = after.tags.filter((tag) => !includesTag(from.tags, tag));
  const removed = from.tags.filter((tag) => !includesTag(after.tags, tag));
  return [
    ...added.map(({ type, value }) => ({ type: 'feature-tagged' as const, data: { type, value } })),
    ...removed.map(({ type, value }) => ({ type: 'feature-untagged' as const, preData: { type, value } })),
  ];
}

function linkEvents(from: FlagDefinition, after: FlagDefinition): PlanEvent[] {
  const old = new Map(from.links.map((link) => [link.id, link]));
  const kept = new Set(after.links.map(({ id }) => id));
  const events = after.links.flatMap((link): PlanEvent[] => {
    const before = old.get(link.id);
    const data = linkEventData(link);
    if (before === undefined) return [{ type: 'feature-link-added', data }];
    if (before.title === link.title) return [];
    return [{ type: 'feature-link-updated', preData: linkEventData(before), data }];
  });
  const removed = from.links.filter(({ id }) => !kept.has(id));
  return [
    ...events,
    ...removed.map((link) => ({ type: 'feature-link-removed' as const, preData: linkEventData(link) })),
  ];
}

function environmentEvents(environment: string, from: FlagInEnvironment, after: FlagInEnvironment): PlanEvent[] {
  if (from === after) return [];
  const old = new Map(from.strategies.map((strategy) => [strategy.id, strategy]));
  const kept = new Set(after.strategies.map(({ id }) => id));
  const events: PlanEvent[] = [];
  for (const strategy of after.strategies) {
    const before = old.get(strategy.id);
    const data = strategyEventData(strategy);
    if (before === undefined) events.push({ type: 'feature-strategy-add', environment, data });
    else if (!isSameJson(strategyEventData(before), data)) {
      events.push({ type: 'feature-strategy-update', environment, preData: strategyEventData(before), data });
    }
  }
  for (const strategy of from.strategies) {
    if (kept.has(strategy.id)) continue;
    events.push({ type: 'feature-strategy-remove', environment, preData: strategyEventData(strategy) });
  }
  if (!isSameJson(from.variants, after.variants)) {
    const [preData, data] = [{ variants: from.variants }, { variants: after.variants }];
    events.push({ type: 'feature-environment-variants-updated', environment, preData, data });
  }
  if (from.enabled !== after.enabled) {
    events.push({ type: after.enabled ? 'feature-environment-enabled' : 'feature-environment-disabled', environment });
  }
  return events;
}

function dependencyEvents(from: FlagDefinition, after: FlagDefinition): PlanEvent[] {
  const [old, now] = [from.dependency, after.dependency];
  if (isDeepStrictEqual(old, now)) return [];
  if (now === undefined) return [{ type: 'feature-dependencies-removed' }];
  const added: PlanEvent = { type: 'feature-dependency-added', data: presentDependency(now) };
  if (old === undefined || old.parent === now.parent) return [added];
  return [{ type: 'feature-dependency-removed', data: { feature: old.parent } }, added];
}
