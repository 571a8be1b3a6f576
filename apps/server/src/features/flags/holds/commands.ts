import {
  type Feature,
  type FeatureEvent,
  findFeature,
  findFeatures,
  recordEventsWithTags,
  recordFeatureEvents,
  requireUsable,
  tagsByFeature,
} from '#features/flags/feature/index.ts';
import { type HeldAlert, type Hold, inForce, presentHold, shareOf } from '#features/flags/held-state/index.ts';
import { loadClientFeatures } from '#features/flags/reading/index.ts';
import { notInEnvironment, statesIn } from '#features/flags/states/index.ts';
import { listStrategies } from '#features/flags/strategies/index.ts';
import type { Actor } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import { requireFuture } from '#kernel/future.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type HoldRef, type HoldRequest, isResting, type RequestedEffect, type RequestingHolder } from './hold.ts';
import { isWeakened, requireMayEnd, requireMayRelease } from './ownership.ts';
import * as store from './store.ts';

/** The result of {@link placeHold}. */
export interface PlacedHold {
  readonly hold: Hold;
  readonly isNew: boolean;
}

/**
 * Holds a flag in an environment in another state than the configured state. A holder has one hold on a flag in an
 * environment: a second request of the same holder updates its effect, reason and expiry, and records no event when
 * nothing differs. Two action sets that use the same key have separate holds (ADR 60). Rejects with 404 when the flag
 * is unknown, belongs to another project or is not in the environment; with 400 when the flag is archived, when
 * `expiresAt` is not in the future, or when the flag has `limit` holds in the environment already; with 403 when the
 * request would weaken another person's hold, see {@link requireMayEnd}.
 */
export async function placeHold(tx: Tx, limit: number, request: HoldRequest): Promise<PlacedHold> {
  const { project, featureName, environment, holder, reason = null, expiresAt = null, onExpiry = 'release' } = request;
  const [feature, states, holds] = await Promise.all([
    requireUsable(tx.db, { project, featureName }),
    statesIn(tx.db, environment, [featureName]),
    store.holdsIn(tx.db, request),
  ]);
  if (!states.has(featureName)) throw notInEnvironment(featureName, environment);
  requireFuture('expiresAt', expiresAt, tx.now);
  const requested = {
    ...effectOf(request),
    reason,
    expiresAt,
    onExpiry,
  };
  const [actionSetId, renewedByRunId] = holder.kind === 'run' ? [holder.actionSetId, holder.runId] : [null, null];
  const existing = holdOf(holds, { ...holder, actionSetId });
  const lacksStrategy = async () => turnsOn(requested) && !(await hasActiveStrategy(tx, request));
  if (existing !== undefined) {
    // An update keeps `forEveryone`: deleting the strategies of a held flag must not open the flag to everyone.
    const forEveryone = turnsOn(existing) ? existing.forEveryone : await lacksStrategy();
    const after = {
      ...existing,
      ...requested,
      forEveryone,
      renewedByRunId,
      alert: latestOf(existing.alert, request.alert),
      ...paceAfter(request, existing),
      holder: { ...existing.holder, actionSetId },
    };
    const hold = await update(tx, feature, existing, after);
    return { hold, isNew: false };
  }
  if (holds.length >= limit) {
    const message = `The flag ${featureName} has ${holds.length} holds in ${environment}, and the limit is ${limit}. Release a hold first.`;
    throw new Problem('ExceedsLimitError', message);
  }
  const servedBefore = await loadServedState(tx, request);
  const { userId, name } = accountOf(tx, holder);
  const hold = {
    ...requested,
    featureName,
    environment,
    holder: {
      kind: holder.kind,
      key: holder.key,
      runId: renewedByRunId,
      actionSetId,
      userId,
      name,
    },
    forEveryone: await lacksStrategy(),
    placedAt: tx.now,
    renewedByRunId,
    alert: request.alert ?? null,
    ...paceAfter(request),
  };
  const placed = { ...hold, id: await store.insertHold(tx, hold) };
  const event = { type: 'feature-lease-placed', environment, data: presentHold(placed) } as const;
  await updateInForce(tx, feature, servedBefore, holds, [...holds, placed], [event]);
  return { hold: placed, isNew: true };
}

/**
 * Returns the times of a hold that follows a plan. An alert that repeats does not delay them, unless the hold rested,
 * because then it fires again.
 */
function paceAfter({ pace }: HoldRequest, existing?: Hold): Pick<Hold, 'stepsDownAt' | 'restsUntil'> {
  if (pace === undefined) return { stepsDownAt: null, restsUntil: null };
  return existing === undefined || existing.restsUntil === null || isResting(existing) ? pace : existing;
}

/** Returns who a hold names as its holder. */
function accountOf({ by: { actor } }: Tx, holder: RequestingHolder): Actor {
  if (holder.kind === 'safeguard') return { userId: actor.userId, name: 'Safeguard' };
  return (holder.kind === 'run' ? holder.account : undefined) ?? actor;
}

/** Returns the effect of a requested hold as it is stored. */
export function effectOf(request: RequestedEffect): Pick<Hold, 'effect' | 'rollout' | 'milestone'> {
  const { effect } = request;
  if (effect === 'milestone')
    return { effect, rollout: shareOf(request.milestone.strategies), milestone: request.milestone };
  return { effect, rollout: effect === 'rollout' ? request.rollout : null, milestone: null };
}

/** Returns whether a hold turns on a flag that is configured off. */
function turnsOn({ effect }: Pick<Hold, 'effect'>): boolean {
  return effect === 'on' || effect === 'rollout';
}

/**
 * Returns the alert of a hold that is asked for again. Of two occurrences of one alert, the later one: a report of the
 * earlier one may come late.
 */
function latestOf(before: HeldAlert | null, asked: HeldAlert | null | undefined): HeldAlert | null {
  if (asked == null) return before;
  if (before === null || before.condition !== asked.condition) return asked;
  const times = [before.occurredAt, asked.occurredAt].flatMap((time) => time ?? []);
  return { ...asked, occurredAt: times.length === 0 ? null : Math.max(...times) };
}

/** Stores, on the existing hold of a holder, that this run asked for it last. Returns false when there is no hold. */
export async function renewHold(
  tx: Tx,
  ref: HoldRef & Pick<HoldRequest, 'alert'> & { readonly holder: RequestingHolder },
): Promise<boolean> {
  const hold = await findHold(tx.db, ref);
  if (hold === undefined || ref.holder.kind !== 'run') return false;
  await store.updateHold(tx, hold, {
    ...hold,
    renewedByRunId: ref.holder.runId,
    alert: latestOf(hold.alert, ref.alert),
  });
  return true;
}

/** Returns the holder's hold on a flag in an environment. */
export async function findHold(db: Db, ref: HoldRef): Promise<Hold | undefined> {
  return holdOf(await store.holdsIn(db, ref), ref.holder);
}

const released = 'feature-lease-released' as const;

/** Releases the holder's hold on a flag in an environment; returns false when there is none. */
export async function releaseHold(tx: Tx, ref: HoldRef): Promise<boolean> {
  const held = await findHold(tx.db, ref);
  return end(tx, ref, (hold) => hold.id === held?.id, released);
}

/**
 * Releases the holds of automation on a flag in an environment for which `isReleased` returns true. Returns false when
 * there is no such hold.
 */
export async function releaseSelected(
  tx: Tx,
  place: store.Place,
  isReleased: (hold: Hold) => boolean,
): Promise<boolean> {
  return end(tx, place, (hold) => hold.holder.kind !== 'person' && isReleased(hold), released);
}

/**
 * Releases a hold by its id, of any holder; returns false when there is none. Rejects with 403 when the author may not
 * end the hold, see {@link requireMayRelease}.
 */
export async function releaseHoldById(
  tx: Tx,
  place: store.Place & { readonly project: string },
  id: number,
): Promise<boolean> {
  const hold = (await store.holdsIn(tx.db, place)).find((candidate) => candidate.id === id);
  if (hold !== undefined) await requireMayRelease(tx, place.project, hold);
  return end(tx, place, (candidate) => candidate.id === id, released);
}

/** Records that a hold ends soon, once. The cause of the event is that of the hold's last change. */
export async function announceExpiry(tx: Tx, { id, ...place }: store.Place & { readonly id: number }): Promise<void> {
  tx.allowNoEvents('action runs');
  const hold = (await store.holdsIn(tx.db, place)).find((candidate) => candidate.id === id);
  const feature = hold && (await findFeature(tx.db, place.featureName));
  if (!(await store.markAnnounced(tx, id)) || hold === undefined || feature === undefined) return;
  const cause = await store.causeOfHold(tx.db, place, id);
  const event = { type: 'feature-lease-expiring', environment: place.environment, data: presentHold(hold) } as const;
  await tx.nested({ ...tx.by, cause }, (part) => recordFeatureEvents(part, [{ feature, event }]));
}

/**
 * Ends the expired holds on a flag in an environment. The cause of each event is the cause of the hold's last change.
 */
export async function expireHolds(tx: Tx, place: store.Place): Promise<void> {
  const holds = await store.holdsIn(tx.db, place);
  const inForceId = inForce(holds)?.id;
  const expired = holds.filter(
    ({ expiresAt, onExpiry }) => onExpiry === 'release' && expiresAt !== null && expiresAt <= tx.now,
  );
  // End the hold in force last, so that the effective state of the flag changes only once.
  for (const { id } of expired.toSorted((a, b) => Number(a.id === inForceId) - Number(b.id === inForceId))) {
    const cause = await store.causeOfHold(tx.db, place, id);
    await tx.nested({ ...tx.by, cause }, (part) => end(part, place, (hold) => hold.id === id, 'feature-lease-expired'));
  }
}

/**
 * Releases the holds on flags in the transaction that archives them, because a revived flag is off in all environments.
 * Moving a flag or changing its configured state keeps its holds.
 */
export const releaseHoldsOfArchivedFlags: BeforeCommit = async ({ db }, { events }) => {
  const archived = events.flatMap(({ type, featureName }) => (type === 'feature-archived' ? (featureName ?? []) : []));
  const holds = await store.holdsOn(db, archived);
  return holds.length === 0 ? undefined : (tx) => releaseAll(tx, archived, holds);
};

async function releaseAll(tx: Tx, archived: readonly string[], holds: readonly Hold[]): Promise<void> {
  const ids = holds.map(({ id }) => id);
  await Promise.all([store.deleteHolds(tx, ids), store.clearInForce(tx, archived)]);
  const features = new Map(
    (await findFeatures(tx.db, [...new Set(archived)])).map((feature) => [feature.name, feature]),
  );
  await recordFeatureEvents(
    tx,
    holds.flatMap((hold) => {
      const feature = features.get(hold.featureName);
      const event = { type: released, environment: hold.environment, preData: presentHold(hold) };
      return feature === undefined ? [] : [{ feature, event }];
    }),
  );
}

/**
 * Returns the hold of a holder. A hold of an older version, which stored no set, belongs to the first set that asks for
 * its key.
 */
function holdOf(holds: readonly Hold[], { kind, key, actionSetId = null }: HoldRef['holder']): Hold | undefined {
  const withKey = holds.filter(({ holder }) => holder.kind === kind && holder.key === key);
  const ofSet = (id: number | null) => withKey.find(({ holder }) => holder.actionSetId === id);
  return ofSet(actionSetId) ?? ofSet(null);
}

/** Stores a changed hold with its events; records none when nothing that answers contain differs. */
export async function update(
  tx: Tx,
  feature: Feature,
  before: Hold,
  after: Hold,
  type: 'feature-lease-updated' | 'feature-lease-stepped-down' = 'feature-lease-updated',
): Promise<Hold> {
  const [preData, data] = [presentHold(before), presentHold(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) {
    if (before.renewedByRunId === after.renewedByRunId) return before;
    tx.allowNoEvents('action runs');
    await store.updateHold(tx, before, after);
    return after;
  }
  if (isWeakened(before, after)) await requireMayEnd(tx, feature.project, before);
  const servedBefore = await loadServedState(tx, before);
  const holds = await store.holdsIn(tx.db, before);
  await store.updateHold(tx, before, after);
  const event = { type, environment: before.environment, preData, data };
  const updated = holds.map((hold) => (hold.id === after.id ? after : hold));
  await updateInForce(tx, feature, servedBefore, holds, updated, [event]);
  return after;
}

/** Ends the selected holds on a flag in an environment; returns whether there were any. */
export async function end(
  tx: Tx,
  place: store.Place,
  isSelected: (hold: Hold) => boolean,
  type: typeof released | 'feature-lease-expired',
): Promise<boolean> {
  const holds = await store.holdsIn(tx.db, place);
  const ended = holds.filter(isSelected);
  const feature = ended.length === 0 ? undefined : await findFeature(tx.db, place.featureName);
  if (feature === undefined) return false;
  const servedBefore = await loadServedState(tx, place);
  await store.deleteHolds(
    tx,
    ended.map(({ id }) => id),
  );
  const remaining = holds.filter((hold) => !isSelected(hold));
  const events = ended.map((hold) => ({ type, environment: place.environment, preData: presentHold(hold) }));
  await updateInForce(tx, feature, servedBefore, holds, remaining, events);
  return true;
}

async function hasActiveStrategy({ db }: Tx, { featureName, environment }: store.Place): Promise<boolean> {
  return (await listStrategies(db, [featureName], environment)).some(({ disabled }) => !disabled);
}

/** The state of a flag in an environment as SDKs receive it. `text` serves to compare two states. */
interface ServedState {
  readonly text: string;
  readonly enabled: boolean;
}

async function loadServedState(tx: Tx, { featureName, environment }: store.Place): Promise<ServedState> {
  const [feature] = await loadClientFeatures(tx.db, [featureName]);
  const state = feature?.environments.find((candidate) => candidate.environment === environment);
  const strategies = (state?.strategies ?? [])
    .filter(({ disabled }) => !disabled)
    .map(({ id: _id, title: _title, ...sent }) => sent);
  const enabled = state?.enabled ?? false;
  return { text: JSON.stringify([enabled, strategies, state?.variantsJson]), enabled };
}

/**
 * Stores which of the holds after a change is in force and records the events of the change, with
 * `feature-effective-state-changed` when SDKs receive another state than before.
 */
async function updateInForce(
  tx: Tx,
  feature: Feature,
  servedBefore: ServedState,
  before: readonly Hold[],
  after: readonly Hold[],
  events: readonly (FeatureEvent & { readonly environment: string })[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const { environment } = first;
  const [previous, current] = [inForce(before), inForce(after)];
  const place = { featureName: feature.name, environment };
  if (previous?.id !== current?.id) tx.goOn(() => store.setInForce(tx, { ...place, id: current?.id ?? null }));
  const [served, tags] = await Promise.all([loadServedState(tx, place), tagsByFeature(tx.db, [feature.name])]);
  const stateChange = {
    type: 'feature-effective-state-changed',
    environment,
    preData: { enabled: servedBefore.enabled, lease: previous === undefined ? null : presentHold(previous) },
    data: { enabled: served.enabled, lease: current === undefined ? null : presentHold(current) },
  } as const;
  const all = servedBefore.text === served.text ? events : [...events, stateChange];
  recordEventsWithTags(tx, feature, tags.get(feature.name) ?? [], ...all);
}
