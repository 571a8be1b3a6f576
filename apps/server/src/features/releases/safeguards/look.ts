import { isBeyond } from '@yardarm/contract';
import { type AutomationKind, readStops, type Stopped } from '#features/flags/automation-stops/index.ts';
import { type Feature, findFeature } from '#features/flags/feature/index.ts';
import { runIfLower, setFeatureEnabled } from '#features/flags/flags/index.ts';
import { placeHold, stepDownHold } from '#features/flags/holds/index.ts';
import { statesIn } from '#features/flags/states/index.ts';
import { answerDelayMs, enqueueQueries, type InstantQuery } from '#features/metrics/external-metrics/index.ts';
import {
  lastMinute,
  type Recent,
  readRecent,
  readValue,
  reportDelayMs,
  windowOf,
} from '#features/metrics/impact-metrics/index.ts';
import {
  activeSince,
  heldAtMilestone,
  isDue,
  type Plan,
  pausePlan,
  plansOn,
  stepBelow,
} from '#features/releases/release-plans/index.ts';
import type { JobKind } from '#jobs/runner.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Tx } from '#storage/tx.ts';
import { endOrRestHold, findOwnHold, record } from './commands.ts';
import { pauseReason, type Safeguard, safeguardEventData } from './safeguard.ts';
import * as store from './store.ts';

const minuteMs = 60_000;
/** The maximum number of safeguards that one transaction looks at: few, so that other changes do not wait long. */
const atOnce = 100;
/** How long the safeguard of a flag that is on has no value before an event says so. */
const noDataMs = 5 * minuteMs;
/** How long a safeguard keeps its state while a Prometheus server has not answered. */
const longestWaitMs = 150_000;

/** Compares the metric of each safeguard with its threshold every minute, and triggers a safeguard that is crossed. */
export const lookAtSafeguards: JobKind = {
  kind: 'safeguards',
  recurring: true,
  records: true,
  run: async (tx) => {
    const due = await store.dueSafeguards(tx.db, tx.now, atOnce);
    const read = readOnce();
    const queries: InstantQuery[] = [];
    for (const safeguard of due) queries.push(...(await look(tx, safeguard, read)));
    await enqueueQueries(tx, queries);
    if (due.length === atOnce) return tx.now;
    return Math.min(nextLook(tx.now), (await store.nextLookAt(tx.db)) ?? Number.POSITIVE_INFINITY);
  },
};

/** Returns a time a moment after the end of this minute. */
function nextLook(now: number): number {
  return lastMinute(now) + minuteMs + reportDelayMs;
}

/** Returns a `readValue` that reads each value from the database once. */
function readOnce(): typeof readValue {
  const known = new Map<string, Promise<number | undefined>>();
  return (db, reader, query, period) => {
    const key = JSON.stringify([reader, query, period]);
    const value = known.get(key) ?? readValue(db, reader, query, period);
    known.set(key, value);
    return value;
  };
}

/**
 * Looks at a safeguard. Returns the queries that a Prometheus server must answer first; empty when the state is
 * decided.
 */
async function look(tx: Tx, safeguard: Safeguard, read: typeof readValue): Promise<readonly InstantQuery[]> {
  const { featureName, planId } = safeguard;
  const feature = await findFeature(tx.db, featureName);
  const plan = planId === null ? undefined : (await plansOn(tx.db, [featureName])).find(({ id }) => id === planId);
  if (feature === undefined) throw new Error(`the flag ${featureName} has a safeguard but does not exist`);
  // Ignore values from before the active milestone started: they say nothing about the milestone.
  const since = plan === undefined ? 0 : activeSince(plan);
  const reading = { reader: { project: feature.project }, since, now: tx.now };
  const recent = await readRecent(tx.db, safeguard.query, reading, { internal: read });
  if (recent.value === undefined && recent.pending !== undefined) {
    const unanswered = whileItWaits(tx, safeguard);
    const noted = unanswered === undefined ? safeguard : await noteData(tx, { ...safeguard, ...unanswered }, feature);
    await store.updateSafeguard(tx, { ...noted, nextLookAt: tx.now + answerDelayMs });
    return recent.pending;
  }
  await decide(tx, { safeguard, feature, plan }, recent);
  return [];
}

/**
 * Returns the safeguard, as it was looked at, with since when it has no value. The value of a flag that is off is not
 * missed. Records once, after five minutes, that there is no value, and then when there is one again.
 */
async function noteData(tx: Tx, safeguard: Safeguard, feature: Feature): Promise<Safeguard> {
  const { value, noDataSince, noDataTold: wasTold, environment, reason } = safeguard;
  const isMissed = value === null && feature.archivedAt === null && (await isOn(tx, feature, environment));
  const since = isMissed ? (noDataSince ?? tx.now) : null;
  const isTold = since !== null && (wasTold || tx.now - since >= noDataMs);
  const data = { ...safeguardEventData(safeguard, feature.project), since: isoTime(since ?? noDataSince ?? tx.now) };
  if (isTold && !wasTold)
    await record(tx, feature, safeguard, { type: 'safeguard-no-data', data: { ...data, reason } });
  if (wasTold && !isTold)
    await record(tx, feature, safeguard, { type: 'safeguard-no-data-ended', data: { ...data, value } });
  return { ...safeguard, noDataSince: since, noDataTold: isTold };
}

async function isOn({ db }: Tx, { name }: Feature, environment: string): Promise<boolean> {
  return (await statesIn(db, environment, [name])).get(name) === true;
}

/**
 * Returns the changes of a safeguard while the Prometheus server has not answered: undefined at first, because the last
 * value still counts, and the state `no-data` later. A triggered safeguard stays triggered, so that its hold ends when
 * the value is back.
 */
function whileItWaits({ now }: Tx, { lookedAt, state }: Safeguard): Partial<Safeguard> | undefined {
  if (lookedAt !== null && now - lookedAt < longestWaitMs) return undefined;
  return {
    state: state === 'triggered' ? state : 'no-data',
    value: null,
    reason: 'The Prometheus server has not answered yet.',
  };
}

interface Watched {
  readonly safeguard: Safeguard;
  readonly feature: Feature;
  readonly plan: Plan | undefined;
}

async function decide(tx: Tx, watched: Watched, recent: Recent): Promise<void> {
  const { safeguard, feature, plan } = watched;
  const { value } = recent;
  const crossed = value !== undefined && isBeyond(safeguard.condition, value);
  const reason = recent.value === undefined ? recent.reason : undefined;
  const seen = { value: value ?? null, reason: reason ?? null, lookedAt: tx.now, nextLookAt: nextLook(tx.now) };
  const looked = await noteData(tx, { ...safeguard, ...seen }, feature);
  if (value === undefined || !crossed || safeguard.state === 'triggered') {
    // Stay triggered while the value cannot be read: a person may have overruled the safeguard, and the next value must
    // not trigger it again. A hold stays without data, because no data is not a good value.
    const isUnknown = reason !== undefined || (value === undefined && safeguard.holdAt !== null);
    const isBack = safeguard.state === 'triggered' && !crossed && !isUnknown;
    const stays = safeguard.state === 'triggered' && (!isBack || (await mustKeepHold(tx, safeguard)));
    if (isBack && !stays) await endOrRestHold(tx, safeguard);
    if (crossed) await stepDownIfDue(tx, safeguard, value);
    const state = stays ? 'triggered' : value === undefined ? 'no-data' : 'within';
    return store.updateSafeguard(tx, { ...looked, state });
  }
  // Nothing is held in shadow mode, so the safeguard must be able to trigger when the shadow mode ends.
  const isOnlyRecorded = safeguard.holdAt !== null && plan?.shadow === true;
  const isRecorded = isOnlyRecorded && safeguard.state === 'crossed';
  const acts = !isRecorded && (await isToStop(tx, { safeguard, feature, plan })) && (await trigger(tx, watched, value));
  const state = acts && !isOnlyRecorded ? 'triggered' : 'crossed';
  await store.updateSafeguard(tx, { ...looked, state, ...(acts ? { triggeredAt: tx.now } : {}) });
}

/** Returns whether a safeguard holds its flag, and may not release it now. */
async function mustKeepHold(tx: Tx, safeguard: Safeguard): Promise<boolean> {
  return (
    (await findOwnHold(tx, safeguard)) !== undefined &&
    (await stopOf(tx, safeguard, 'safeguard releases')) !== undefined
  );
}

/** Holds the flag one milestone further down when its hold did not help in the time that the plan has for that. */
async function stepDownIfDue(tx: Tx, safeguard: Safeguard, value: number): Promise<void> {
  const hold = await findOwnHold(tx, safeguard);
  if (hold === undefined || !isDue(hold, tx.now)) return;
  const stop = await stopOf(tx, safeguard, 'safeguard holds');
  if (stop !== undefined && stop.rule !== 'lowers') return;
  const reason = pauseReason(safeguard, value);
  const step = { ...(await stepBelow(tx.db, hold, tx.now, windowOf(safeguard.query))), reason };
  if (stop === undefined) return stepDownHold(tx, hold, step);
  const off = { effect: 'off', pace: { ...step.pace, stepsDownAt: null }, reason } as const;
  for (const to of [step, off]) if (await runIfLower(tx, safeguard, (part) => stepDownHold(part, hold, to))) return;
}

/** Returns the stop that concerns a safeguard now; undefined when there is none. */
async function stopOf(tx: Tx, safeguard: Safeguard, kind: AutomationKind): Promise<Stopped | undefined> {
  return (await readStops(tx.db, tx.now, [safeguard.featureName])).of(kind, safeguard);
}

/**
 * Pauses the plan, holds the flag or switches it off, and records why. While automation is stopped, only if it is
 * certain that no user gets the flag by that: an earlier milestone may serve it to other users, then the flag is held
 * off. Returns whether the safeguard acted.
 */
async function trigger(tx: Tx, watched: Watched, value: number): Promise<boolean> {
  const { safeguard, plan } = watched;
  const { planId, holdAt } = safeguard;
  const isPause = planId !== null && holdAt === null;
  const stop = await stopOf(tx, safeguard, isPause ? 'safeguard pauses' : 'safeguard holds');
  if (stop === undefined || (plan?.shadow === true && stop.rule === 'lowers')) {
    await act(tx, watched, value, holdAt);
    return true;
  }
  if (stop.rule !== 'lowers') return false;
  const attempts = holdAt === null || holdAt === 'off' ? [holdAt] : [holdAt, 'off'];
  for (const at of attempts) if (await runIfLower(tx, safeguard, (part) => act(part, watched, value, at))) return true;
  return false;
}

async function act(tx: Tx, { safeguard, feature, plan }: Watched, value: number, holdAt: string | null): Promise<void> {
  const { featureName, environment, planId } = safeguard;
  const data = { ...safeguardEventData(safeguard, feature.project), value };
  await record(tx, feature, safeguard, { type: 'safeguard-triggered', data });
  const place = { project: feature.project, featureName, environment };
  if (planId === null) return setFeatureEnabled(tx, { ...place, enabled: false });
  if (holdAt === null) return pausePlan(tx, { ...place, planId }, pauseReason(safeguard, value));
  // In shadow mode the event says what would have happened.
  if (plan?.shadow === true) return;
  const held = await heldAtMilestone(tx.db, place, tx.now, { target: holdAt, windowMs: windowOf(safeguard.query) });
  if ('nothingToHold' in held) return;
  const holder = { kind: 'safeguard', key: safeguard.id } as const;
  await placeHold(tx, Number.POSITIVE_INFINITY, { ...place, ...held, holder, reason: pauseReason(safeguard, value) });
}

/** Returns whether there is something to stop: a plan that is not paused, or a flag to hold, or that is on. */
async function isToStop(tx: Tx, { safeguard, feature, plan }: Watched): Promise<boolean> {
  const { environment, holdAt } = safeguard;
  if (feature.archivedAt !== null) return false;
  if (plan !== undefined && holdAt === null) return plan.pausedAt === null;
  if (holdAt !== null) return true;
  return isOn(tx, feature, environment);
}
