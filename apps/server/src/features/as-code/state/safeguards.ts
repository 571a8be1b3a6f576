import { isDeepStrictEqual } from 'node:util';
import { maxSafeguards, type SafeguardBody } from '@yardarm/contract';
import { addFault, type Fault, type FlagPlan } from '#features/flags/definitions/index.ts';
import type { Place } from '#features/releases/release-plans/index.ts';
import { checkSafeguard, type Safeguard, safeguardKey, safeguardsOn } from '#features/releases/safeguards/index.ts';
import type { Operation } from '#features/review/change-requests/index.ts';
import { pagesYielding } from '#kernel/event-loop.ts';
import { limitFault } from '#kernel/limits.ts';
import { chunksOf } from '#kernel/lists.ts';
import type { Db } from '#storage/tx.ts';
import { type FlagChange, fieldChanges } from './changes.ts';
import type { DesiredSafeguards } from './desired-state.ts';
import type { StoredPlans } from './flag-plans.ts';
import { type PlanOperation, planChange } from './milestones.ts';
import type { StateFault } from './options.ts';
import { presentSafeguard } from './present.ts';

/** Loads the safeguards of flags, grouped by flag, with one statement for each thousand flags. */
export async function loadSafeguards(
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly Safeguard[]>> {
  const safeguards: Safeguard[] = [];
  for (const part of chunksOf(names)) safeguards.push(...(await safeguardsOn(db, part)));
  return Map.groupBy(safeguards, ({ featureName }) => featureName);
}

/**
 * Compares the desired safeguards with those of the flags as they are after the plan. Skips flags that have faults. One
 * statement for each thousand flags, plus the checks of safeguards that are set. The operation that adds a release plan
 * sets its safeguards.
 */
export async function compareSafeguards(
  db: Db,
  desired: readonly DesiredSafeguards[],
  flags: readonly FlagPlan[],
  plans: StoredPlans,
  faults: StateFault[],
): Promise<PlanOperation[]> {
  if (desired.length === 0) return [];
  const stored = await loadSafeguards(db, [...new Set(desired.map(({ featureName }) => featureName))]);
  const after = new Map(flags.map((flag) => [flag.after.feature.name, flag.after]));
  const operations: PlanOperation[] = [];
  const compareOne = async ({ own, ofPlan, ...place }: DesiredSafeguards) => {
    const { project, featureName: name, environment } = place;
    if (after.get(name)?.environments.get(environment) === undefined) return;
    const inner: Fault[] = [];
    const before = stored.get(name)?.filter((each) => each.environment === environment) ?? [];
    const planId = plans.get(name)?.get(environment)?.id;
    operations.push(...(await comparePlace(db, place, { before, planId }, { own, ofPlan }, inner)));
    const at = `environments.${environment}`;
    for (const { path, message } of inner) faults.push({ kind: 'flag', name, project, path: `${at}.${path}`, message });
  };
  for await (const page of pagesYielding(desired, (each) => each)) for (const each of page) await compareOne(each);
  return operations;
}

async function comparePlace(
  db: Db,
  place: Place,
  { before, planId }: { readonly before: readonly Safeguard[]; readonly planId: string | undefined },
  desired: Pick<DesiredSafeguards, 'own' | 'ofPlan'>,
  faults: Fault[],
): Promise<PlanOperation[]> {
  const own = before.filter(({ planId }) => planId === null);
  // Removing a plan also removes its safeguards, so they are not compared.
  const ofPlan = desired.ofPlan === null ? [] : before.filter(({ planId }) => planId !== null);
  const ofFlag = await compareList(db, place, { before: own, desired: desired.own, path: 'safeguards' }, faults);
  const at = { before: ofPlan, desired: desired.ofPlan ?? undefined, path: 'releasePlan.safeguards' };
  const ofItsPlan = await compareList(db, place, { ...at, ofPlan: true }, faults);
  if (ofFlag.count + ofItsPlan.count > maxSafeguards) {
    const message = limitFault(maxSafeguards, 'safeguards of the flag and its release plan');
    faults.push({ path: desired.own === undefined ? at.path : 'safeguards', message });
  }
  const changes = [...ofFlag.changes, ...ofItsPlan.changes];
  const { featureName: feature } = place;
  // Delete first: the limit counts the safeguards that remain.
  const operations: readonly Operation[] = [
    ...[...ofFlag.removed, ...ofItsPlan.removed].map(({ id, planId }) => ({
      action: 'deleteSafeguard' as const,
      feature,
      payload: { safeguardId: id, planId },
    })),
    ...ofFlag.set.map((body) => ({ action: 'changeSafeguard' as const, feature, payload: structuredClone(body) })),
    ...(planId === undefined ? [] : ofItsPlan.set).map((body) => ({
      action: 'changeSafeguard' as const,
      feature,
      payload: { ...structuredClone(body), planId },
    })),
  ];
  return changes.length === 0 ? [] : [{ place, changes, operations: () => operations }];
}

interface List {
  readonly before: readonly Safeguard[];
  /** Undefined when the safeguards stay. */
  readonly desired: readonly SafeguardBody[] | undefined;
  readonly path: string;
  readonly ofPlan?: true;
}

interface ListChanges {
  readonly changes: readonly FlagChange[];
  readonly removed: readonly Safeguard[];
  readonly set: readonly SafeguardBody[];
  /** The number of safeguards afterwards. */
  readonly count: number;
}

/** Compares the safeguards of a flag or a plan with the complete desired list. */
async function compareList(
  db: Db,
  place: Place,
  { before, desired, path, ofPlan }: List,
  faults: Fault[],
): Promise<ListChanges> {
  if (desired === undefined) return { changes: [], removed: [], set: [], count: before.length };
  const change = (type: FlagChange['type'], old: SafeguardBody | undefined, body: SafeguardBody | undefined) => ({
    ...planChange(place, type, describe(body ?? old, ofPlan), fieldChanges(old, body)),
    ...(ofPlan === undefined ? {} : { ofPlan }),
  });
  const free = new Map(before.map((safeguard) => [safeguardKey(safeguard), safeguard]));
  const named = new Set<string>();
  const changed: { readonly body: SafeguardBody; readonly change: FlagChange }[] = [];
  for (const [index, body] of desired.entries()) {
    const at = `${path}.${index}`;
    const key = safeguardKey({ query: body.impactMetric, condition: body.triggerCondition });
    if (named.has(key)) faults.push({ path: at, message: 'is named twice' });
    named.add(key);
    const old = free.get(key);
    free.delete(key);
    const present = old && presentSafeguard(old);
    // Skip the check of an unchanged safeguard: its metric may be no longer reported.
    if (isDeepStrictEqual(present, body)) continue;
    const warnings = await checkAt(db, place.project, body, { at, isOfPlan: ofPlan === true }, faults);
    const warned = warnings.length === 0 ? {} : { warning: warnings.join(' ') };
    changed.push({ body, change: { ...change('safeguard-changed', present, body), ...warned } });
  }
  const removed = [...free.values()];
  return {
    changes: [
      ...removed.map((safeguard) => change('safeguard-deleted', presentSafeguard(safeguard), undefined)),
      ...changed.map(({ change }) => change),
    ],
    removed,
    set: changed.map(({ body }) => body),
    count: desired.length,
  };
}

/** Returns the warnings about a safeguard, or adds why it cannot be set to the faults. */
async function checkAt(
  db: Db,
  project: string,
  body: SafeguardBody,
  { at, isOfPlan }: { readonly at: string; readonly isOfPlan: boolean },
  faults: Fault[],
): Promise<string[]> {
  try {
    return await checkSafeguard(db, project, body, { isOfPlan });
  } catch (error) {
    addFault(faults, at, error);
    return [];
  }
}

function describe(body: SafeguardBody | undefined, ofPlan: true | undefined): string | null {
  if (body === undefined) return null;
  const { impactMetric, triggerCondition } = body;
  const text = `${impactMetric.metricName} ${triggerCondition.operator} ${triggerCondition.threshold}`;
  return ofPlan === undefined ? text : `${text} (release plan)`;
}
