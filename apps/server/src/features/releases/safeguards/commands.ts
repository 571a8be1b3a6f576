import { maxSafeguards, type SafeguardBody, warnOfShortSteps } from '@yardarm/contract';
import { type Feature, recordFeatureEvents, requireFeature } from '#features/flags/feature/index.ts';
import type { Hold } from '#features/flags/held-state/index.ts';
import { endOrRest, findHold, type HoldRef, releaseHold } from '#features/flags/holds/index.ts';
import { requireRecent } from '#features/metrics/impact-metrics/index.ts';
import {
  activeSince,
  type LookedAt,
  type Place,
  type Plan,
  requireInEnvironment,
  requirePlan,
  type SafeguardsOfPlan,
  safeguardGate,
} from '#features/releases/release-plans/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { limitReached } from '#kernel/limits.ts';
import { isSameJson } from '#kernel/same-json.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { presentSafeguard, type Safeguard, safeguardEventData } from './safeguard.ts';
import * as store from './store.ts';

/** The place of a safeguard: a flag in an environment, or the release plan of the flag there. */
export interface SafeguardPlace extends Place {
  readonly planId: string | null;
}

/** Returns the safeguards of a flag in an environment. Rejects with 404 for an unknown flag or environment. */
export async function listSafeguards(db: Db, place: Place): Promise<Safeguard[]> {
  await requireFeature(db, place);
  await requireInEnvironment(db, place);
  return store.safeguardsIn(db, place.featureName, place.environment);
}

/** Returns the safeguards of a plan as answers contain them, and the gates that they are. */
export async function safeguardsOfPlan(db: Db, plan: Plan): Promise<SafeguardsOfPlan> {
  const all = await store.safeguardsIn(db, plan.featureName, plan.environment);
  const safeguards = all.filter(({ planId }) => planId === plan.id);
  return {
    answers: safeguards.map((safeguard) => presentSafeguard(safeguard, '')),
    gates: safeguards.map((safeguard) => gateOf(safeguard, activeSince(plan))),
  };
}

/** Returns the gate that a safeguard is, by its value since the active milestone started. */
function gateOf({ query, condition, state, value, reason, lookedAt }: Safeguard, since: number): LookedAt {
  if (lookedAt === null || lookedAt < since) return safeguardGate(query, condition, {});
  return safeguardGate(query, condition, state === 'no-data' || value === null ? { reason } : { value });
}

/**
 * Sets a safeguard of a flag or its plan. Replaces the safeguard with the same metric, source, aggregation, labels and
 * operator. Rejects with 400 when the metric can never be read. Returns the warnings of {@link checkSafeguard}, and one
 * about milestones that are shorter than a safeguard needs.
 */
export async function setSafeguard(tx: Tx, place: SafeguardPlace, body: SafeguardBody): Promise<string[]> {
  const { feature, plan } = await requirePlace(tx.db, place);
  const { impactMetric: query, triggerCondition: condition, holdAt = null } = body;
  const warnings = await checkSafeguard(tx.db, place.project, body, { isOfPlan: plan !== undefined });
  const short = plan && warnOfShortSteps(plan.milestones);
  if (short !== undefined) warnings.push(short);
  const all = await store.safeguardsIn(tx.db, place.featureName, place.environment);
  const before = all.find(
    (other) => other.planId === place.planId && safeguardKey(other) === safeguardKey({ query, condition }),
  );
  if (before === undefined && all.length >= maxSafeguards)
    throw limitReached(maxSafeguards, `safeguards of the flag ${place.featureName} in ${place.environment}`);
  const after: Safeguard = {
    id: before?.id ?? newId(),
    featureName: place.featureName,
    environment: place.environment,
    planId: place.planId,
    holdAt,
    query,
    condition,
    state: 'no-data',
    value: null,
    reason: null,
    lookedAt: null,
    triggeredAt: before?.triggeredAt ?? null,
    nextLookAt: tx.now,
    noDataSince: before?.noDataSince ?? null,
    noDataTold: before?.noDataTold ?? false,
    createdByUserId: tx.by.actor.userId,
    createdAt: before?.createdAt ?? tx.now,
  };
  const data = safeguardEventData(after, feature.project);
  const preData = before && safeguardEventData(before, feature.project);
  if (before !== undefined && isSameJson(data, preData)) return warnings;
  await (before === undefined ? store.insertSafeguard(tx, after) : store.updateSafeguard(tx, after));
  if (before !== undefined) await endHold(tx, before);
  await record(tx, feature, after, {
    type: 'safeguard-changed',
    data,
    ...(preData === undefined ? {} : { preData }),
  });
  return warnings;
}

/**
 * Rejects with 400 when the metric can never be read (see {@link requireRecent}), or when a safeguard that belongs to
 * no plan is to hold the flag. Returns a sentence for each metric that no SDK has reported yet.
 */
export async function checkSafeguard(
  db: Db,
  project: string,
  { impactMetric, holdAt }: SafeguardBody,
  { isOfPlan }: { readonly isOfPlan: boolean },
): Promise<string[]> {
  if (!isOfPlan && holdAt !== undefined)
    throw badField('holdAt', 'must not be given without a release plan: this safeguard switches the flag off');
  const unreported = await requireRecent(db, { project }, impactMetric, 'impactMetric');
  return unreported.map(
    (name) =>
      `No SDK has reported the metric ${name} yet: the safeguard has no value${isOfPlan ? ', and the plan waits' : ''}.`,
  );
}

/** Deletes a safeguard of a flag or its plan. Rejects with 404 when there is none with this id. */
export async function removeSafeguard(tx: Tx, place: SafeguardPlace, id: string): Promise<void> {
  const { feature } = await requirePlace(tx.db, place);
  const all = await store.safeguardsIn(tx.db, place.featureName, place.environment);
  const safeguard = all.find((candidate) => candidate.id === id && candidate.planId === place.planId);
  if (safeguard === undefined) {
    const owner = place.planId === null ? `flag ${place.featureName}` : 'release plan';
    throw new Problem('NotFoundError', `The ${owner} has no safeguard ${id} in ${place.environment}.`);
  }
  await store.deleteSafeguard(tx, id);
  await endHold(tx, safeguard);
  const preData = safeguardEventData(safeguard, feature.project);
  await record(tx, feature, safeguard, { type: 'safeguard-deleted', preData });
}

/** Releases the hold of a safeguard, if there is one. */
async function endHold(tx: Tx, safeguard: Safeguard): Promise<void> {
  await releaseHold(tx, holdOf(safeguard));
}

/** Releases the hold of a safeguard, if there is one, because the value is back. Its milestone rests first. */
export async function endOrRestHold(tx: Tx, { id, featureName, environment }: Safeguard): Promise<void> {
  await endOrRest(tx, { featureName, environment }, ({ holder }) => holder.kind === 'safeguard' && holder.key === id);
}

/** Returns the hold of a safeguard on its flag; undefined when it holds nothing. */
export async function findOwnHold(tx: Tx, safeguard: Safeguard): Promise<Hold | undefined> {
  return findHold(tx.db, holdOf(safeguard));
}

function holdOf({ id, featureName, environment }: Safeguard): HoldRef {
  return { featureName, environment, holder: { kind: 'safeguard', key: id } };
}

/** Records an event of a safeguard as an event of its flag. */
export async function record(
  tx: Tx,
  feature: Feature,
  { environment }: Safeguard,
  event: Parameters<typeof recordFeatureEvents>[1][number]['event'],
): Promise<void> {
  await recordFeatureEvents(tx, [{ feature, event: { ...event, environment } }]);
}

async function requirePlace(
  db: Db,
  { planId, ...place }: SafeguardPlace,
): Promise<{ readonly feature: Feature; readonly plan?: Plan }> {
  if (planId !== null) return requirePlan(db, { ...place, planId });
  const feature = await requireFeature(db, place);
  await requireInEnvironment(db, place);
  return { feature };
}

/** Returns the key of a safeguard. Setting a safeguard replaces the safeguard with the same key. */
export function safeguardKey({ query, condition }: Pick<Safeguard, 'query' | 'condition'>): string {
  const { source = 'internal', metricName, aggregationMode, labelSelectors, dividedBy } = query;
  const parts = [{ metricName, labelSelectors }, ...(dividedBy === undefined ? [] : [dividedBy])];
  const series = parts.map((part) => [part.metricName, Object.entries(part.labelSelectors).toSorted(byLabel)]);
  return JSON.stringify([source, aggregationMode, series, condition.operator]);
}

function byLabel([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
