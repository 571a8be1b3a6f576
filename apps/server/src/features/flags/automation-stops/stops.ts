import { readFreeze } from '#features/flags/freeze/index.ts';
import { placeKey } from '#features/flags/holds/index.ts';
import { listOverrides, type Override, overridesOn, type Place } from '#features/flags/overrides/index.ts';
import { isInMaintenance } from '#features/platform/maintenance/index.ts';
import type { Db } from '#storage/tx.ts';
import { type AutomationKind, type FlagStop, type Rule, rules, type Stop } from './rules.ts';

/** A stop that is in force, with a sentence that says so. */
export interface StopInForce<S extends Stop = Stop> {
  readonly stop: S;
  readonly reason: string;
}

/** A stop that keeps an automation from acting, with what the automation does meanwhile. */
export interface Stopped<S extends Stop = Stop> extends StopInForce<S> {
  readonly rule: Exclude<Rule, 'acts'>;
}

/** The stops in force, as read once: {@link readStops}. */
export interface Stops {
  /** Returns the stop that concerns a kind of automation at a place; undefined when the automation acts. */
  of(kind: AutomationKind, place: Place): Stopped<FlagStop> | undefined;
}

/** Returns what stops all automation now: a freeze, or maintenance. Undefined when nothing does. */
export async function stopOfAll(db: Db): Promise<StopInForce<'freeze' | 'maintenance'> | undefined> {
  const [{ frozen, reason }, maintenance] = await Promise.all([readFreeze(db), isInMaintenance(db)]);
  if (frozen)
    return { stop: 'freeze', reason: `Automation is frozen${reason === null || reason === '' ? '' : `: ${reason}`}.` };
  return maintenance ? { stop: 'maintenance', reason: 'The instance is in maintenance mode.' } : undefined;
}

/** The beginning of the reason when an override stops an automation. */
export const overriddenText = 'Override: ';

/** Returns the stop that an override is. */
export function stopBy({ placedBy, featureName, environment, reason }: Override): StopInForce<'override'> {
  // Names no end: runs and plans keep the text, and a person may end or move the override meanwhile.
  const text = `${placedBy.name} keeps automation off ${featureName} in ${environment}. ${reason}`;
  return { stop: 'override', reason: `${overriddenText}${text}` };
}

/** Returns a stop as it concerns a kind of automation; undefined when the automation acts nevertheless. */
export function stopFor<S extends Stop>(
  kind: AutomationKind,
  inForce: StopInForce<S> | undefined,
): Stopped<S> | undefined {
  if (inForce === undefined) return undefined;
  const rule = rules[kind][inForce.stop];
  return rule === 'acts' ? undefined : { ...inForce, rule };
}

/** Reads the stops in force in all environments, for some flags or, without names, for all. */
export async function readStops(db: Db, now: number, featureNames?: readonly string[]): Promise<Stops> {
  const [ofAll, overrides] = await Promise.all([
    stopOfAll(db),
    featureNames === undefined
      ? listOverrides(db, { now, hidden: new Set(), limit: Number.MAX_SAFE_INTEGER })
      : overridesOn(db, featureNames, now),
  ]);
  const overridden = new Map(overrides.map((override) => [placeKey(override), override]));
  return {
    // An override comes first: it forbids what a freeze allows, to lower.
    of: (kind, place) => {
      const own = overridden.get(placeKey(place));
      return (own && stopFor(kind, stopBy(own))) ?? stopFor(kind, ofAll);
    },
  };
}
