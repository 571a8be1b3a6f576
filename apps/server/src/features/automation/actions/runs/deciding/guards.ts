import { type StopInForce, stopBy } from '#features/flags/automation-stops/index.ts';
import type { presentHold } from '#features/flags/held-state/index.ts';
import type { Override } from '#features/flags/overrides/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import { type Db, type NewEvent, sql, type Tx } from '#storage/tx.ts';
import { wasCalledSince } from '../../calls/index.ts';
import { nothingToReleaseText } from '../../kinds/index.ts';
import type { ActionSet } from '../../sets/index.ts';
import type { Change, RanAction } from '../record/outcome.ts';
import type { Finding } from './decision.ts';

const hourSeconds = 3600;
/** The number of runs that a quorum reads at once. */
const quorumRuns = 5000;

/** A flag and environment that a run changed; the environment is empty when the change affects all environments. */
export interface Target {
  readonly featureName: string;
  readonly environment: string;
}

/**
 * Returns the flags whose effective state changed, without duplicates. A hold that changes the effective state also
 * records `feature-effective-state-changed`; a renewed or shadowed hold does not.
 */
export function changedTargets(changes: readonly Change[]): Target[] {
  const targets = new Map<string, Target>();
  for (const change of changes) {
    const { featureName, environment } = change;
    if (featureName !== null && !touches(change, 'holds'))
      targets.set(`${featureName} ${environment ?? ''}`, { featureName, environment: environment ?? '' });
  }
  return [...targets.values()];
}

/** A flag and environment that a run holds, with or without an effect at that moment. */
export interface HeldPlace extends Target {
  readonly isOff: boolean;
}

/** Returns the flags that a run holds, from the events that it recorded. */
export function heldPlaces(events: readonly NewEvent[]): HeldPlace[] {
  return events.flatMap(({ type, featureName, environment, data }) => {
    if (type !== 'feature-lease-placed' && type !== 'feature-lease-updated') return [];
    const { effect } = data as ReturnType<typeof presentHold>;
    return [{ featureName: featureName ?? '', environment: environment ?? '', isOff: effect === 'off' }];
  });
}

/** Returns why a run is stopped when the quorum is not reached; undefined when it is reached. */
export async function checkQuorum(tx: Tx, set: ActionSet, runId: number): Promise<string | undefined> {
  const { quorum } = set.guards;
  if (quorum === undefined) return undefined;
  const lastRun = await tx.db
    .selectFrom('action_runs')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('action_set_id', '=', set.id)
    .where('state', '<>', 'skipped')
    .where('id', '<', runId)
    .executeTakeFirst();
  const [signals, tokens] = [new Set<number>(), new Set<number>()];
  // A signal with many alerts has a run for each: read until the quorum is reached, or all runs are read.
  for (let upTo = runId; ; ) {
    const rows = await runsWithin(tx, set, { after: lastRun?.id ?? 0, upTo }, tx.now - quorum.withinSeconds * 1000);
    for (const { signal_id, token_id } of rows) {
      signals.add(signal_id);
      tokens.add(token_id);
    }
    if (signals.size >= quorum.signals && tokens.size >= quorum.tokens) return undefined;
    const last = rows.at(-1);
    if (last === undefined || rows.length < quorumRuns) break;
    upTo = last.id - 1;
  }
  return `Quorum: ${signals.size} of ${quorum.signals} signals from ${tokens.size} of ${quorum.tokens} tokens arrived within ${quorum.withinSeconds} s.`;
}

/** Returns the newest runs of a set that a quorum counts, at most 5,000, in a range of ids and since a time. */
function runsWithin(tx: Tx, set: ActionSet, ids: { readonly after: number; readonly upTo: number }, since: number) {
  return (
    tx.db
      .selectFrom('action_runs')
      .select(['id', 'signal_id', 'token_id'])
      .where('action_set_id', '=', set.id)
      .where('id', '>', ids.after)
      // Leaves out runs for a payload without the array at `forEach`: they have no element.
      .$if(set.forEach !== null, (query) => query.where('element', 'is not', null))
      // Leaves out runs for the ends of alerts that held nothing, and replays.
      .$if(set.releaseFilters !== null, (query) => query.where(isNoIdleRelease))
      .where('cause', '=', 'signal')
      .where('id', '<=', ids.upTo)
      .where('created_at', '>', since)
      .orderBy('id', 'desc')
      .limit(quorumRuns)
      .execute()
  );
}

/** Selects all runs except releases that found no hold. */
const isNoIdleRelease = sql<boolean>`coalesce(reason, '') not like ${`${nothingToReleaseText}%`}`;

/** Returns why a run is stopped when it repeats a call within the cool-down; undefined when it does not. */
export async function checkCallCooldown(
  tx: Tx,
  set: ActionSet,
  runId: number,
  actions: readonly RanAction[],
): Promise<string | undefined> {
  const { cooldownSeconds } = set.guards;
  if (cooldownSeconds === undefined) return undefined;
  const since = tx.now - cooldownSeconds * 1000;
  for (const { call } of actions)
    if (call !== null && (await wasCalledSince(tx.db, { setId: set.id, runId, since }, call)))
      return `Cool-down: the set called ${call.method} ${call.url} less than ${cooldownSeconds} s ago.`;
  return undefined;
}

/** The longest time until a change that came too fast is tried again. */
const longestPauseMs = 60_000;

/**
 * Returns why the changes of a run come too fast (cool-down or flapping); undefined when they do not. Holding a flag
 * off is never too fast, because an alert in the middle of an incident asks for it.
 */
export async function checkPace(
  tx: Tx,
  set: ActionSet,
  changed: readonly Target[],
  held: readonly HeldPlace[],
): Promise<Finding | undefined> {
  const { cooldownSeconds, flapping } = set.guards;
  const targets = changed.filter((target) => !held.some((place) => place.isOff && isSamePlace(place, target)));
  if (targets.length === 0) return undefined;
  const tooFast = (text: string, withinSeconds: number): Finding => ({
    text,
    until: tx.now + Math.min(withinSeconds * 1000, longestPauseMs),
  });
  if (cooldownSeconds !== undefined) {
    const [recent] = await changesOf(tx.db, targets, tx.now - cooldownSeconds * 1000, set.id);
    if (recent !== undefined)
      return tooFast(`Cool-down: the set changed ${recent.name} less than ${cooldownSeconds} s ago.`, cooldownSeconds);
  }
  if (flapping !== undefined) {
    const often = await changesOf(tx.db, targets, tx.now - flapping.withinSeconds * 1000);
    const first = often.find(({ times }) => times >= flapping.changes);
    if (first !== undefined) {
      const text = `Flapping: actions changed ${first.name} ${first.times} times within ${flapping.withinSeconds} s.`;
      return tooFast(text, flapping.withinSeconds);
    }
  }
  return undefined;
}

function isSamePlace(a: Target, b: Target): boolean {
  return a.featureName === b.featureName && a.environment === b.environment;
}

/**
 * Returns why a run is stopped when its set would change or hold too many flags in an hour. Flags whose hold changes
 * nothing count, too.
 */
export async function checkFlagsPerHour(
  tx: Tx,
  set: ActionSet,
  changed: readonly Target[],
  held: readonly HeldPlace[],
): Promise<Finding | undefined> {
  const { flagsPerHour } = set.guards;
  const targets = [...changed, ...held];
  if (flagsPerHour === undefined || targets.length === 0) return undefined;
  const flags = await flagsChangedOrHeld(tx.db, set.id, tx.now - hourSeconds * 1000);
  for (const { featureName } of targets) flags.add(featureName);
  if (flags.size <= flagsPerHour) return undefined;
  return {
    text: `Flags per hour: the set would change or hold ${flags.size} flags within an hour; ${flagsPerHour} are allowed.`,
    until: tx.now + longestPauseMs,
  };
}

/** The limit of flags that a set without a limit of its own begins to hold within a time. */
export interface Breaker {
  /** 0 for no limit. */
  readonly flags: number;
  readonly minutes: number;
}

/**
 * Returns why a run that begins to hold flags waits for a person: its set has no limit of its own and would begin to
 * hold more flags than the breaker allows. Undefined for all other runs.
 */
export async function checkBreaker(
  tx: Tx,
  { flags: allowed, minutes }: Breaker,
  set: ActionSet,
  events: readonly NewEvent[],
): Promise<string | undefined> {
  const begins = events.some(({ type }) => type === 'feature-lease-placed');
  if (allowed === 0 || !begins || set.guards.flagsPerHour !== undefined) return undefined;
  const since = tx.now - minutes * 60_000;
  const begun = tx.db
    .selectFrom('feature_leases')
    .select('feature_name')
    .where('action_set_id', '=', set.id)
    .where('placed_at', '>', since);
  const changed = tx.db
    .selectFrom('action_effects')
    .select('feature_name')
    .where('action_set_id', '=', set.id)
    .where('created_at', '>', since);
  const flags = (await begun.union(changed).execute()).length;
  if (flags <= allowed) return undefined;
  return `Breaker: the set would hold ${flags} flags within ${minutes} minutes, and ${allowed} are allowed without a decision.`;
}

/** Returns the override that keeps automation from changing a flag that a run changes; undefined when there is none. */
export function findOverride(
  overrides: readonly Override[],
  changes: readonly Change[],
): StopInForce<'override'> | undefined {
  const override = overrides.find(({ featureName, environment }) =>
    changes.some((place) => place.featureName === featureName && place.environment === environment),
  );
  return override && stopBy(override);
}

/** Saves the changed flags for the guards of later runs. */
export async function saveEffects(tx: Tx, set: ActionSet, runId: number, targets: readonly Target[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'action_effects',
      columns: [
        ['run_id', 'integer'],
        ['action_set_id', 'integer'],
        ['project', 'text'],
        ['feature_name', 'text'],
        ['environment', 'text'],
        ['created_at', 'integer'],
      ],
    },
    targets.map(({ featureName, environment }) => [runId, set.id, set.project, featureName, environment, tx.now]),
  );
}

/** Counts how often actions of one set, or of all sets, changed each target since a time. */
async function changesOf(db: Db, targets: readonly Target[], since: number, setId?: number) {
  let query = db
    .selectFrom('action_effects')
    .select(['feature_name', 'environment', (eb) => eb.fn.countAll<number>().as('times')])
    .where('feature_name', 'in', [...new Set(targets.map(({ featureName }) => featureName))])
    .where('created_at', '>', since)
    .groupBy(['feature_name', 'environment'])
    .orderBy('feature_name')
    .orderBy('environment');
  if (setId !== undefined) query = query.where('action_set_id', '=', setId);
  const rows = await query.execute();
  const keys = new Set(targets.map(({ featureName, environment }) => `${featureName} ${environment}`));
  return rows
    .filter((row) => keys.has(`${row.feature_name} ${row.environment}`))
    .map((row) => ({ name: row.feature_name, times: row.times }));
}

async function flagsChangedOrHeld(db: Db, setId: number, since: number): Promise<Set<string>> {
  const changed = db
    .selectFrom('action_effects')
    .select('feature_name')
    .where('action_set_id', '=', setId)
    .where('created_at', '>', since);
  const held = db.selectFrom('feature_leases').select('feature_name').where('action_set_id', '=', setId);
  const rows = await changed.union(held).execute();
  return new Set(rows.map((row) => row.feature_name));
}
