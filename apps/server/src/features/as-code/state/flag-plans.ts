import type { DesiredFlag, Fault, FlagDefinition, FlagPlan } from '#features/flags/definitions/index.ts';
import { activeMilestone, type Plan, plansOn } from '#features/releases/release-plans/index.ts';
import { chunksOf } from '#kernel/lists.ts';
import type { Db } from '#storage/tx.ts';
import type { DesiredReleasePlan, DesiredState } from './desired-state.ts';

/** The stored release plans by flag and environment. */
export type StoredPlans = ReadonlyMap<string, ReadonlyMap<string, Plan>>;

/** The release plans of flags: those that are stored, and those of the desired state. */
export interface FlagPlans {
  readonly stored: StoredPlans;
  readonly desired: readonly DesiredReleasePlan[];
}

/** Loads the release plans of flags, with one statement for each thousand flags. */
export async function loadPlans(db: Db, names: readonly string[]): Promise<StoredPlans> {
  const plans: Plan[] = [];
  for (const part of chunksOf(names)) plans.push(...(await plansOn(db, part)));
  const byFlag = Map.groupBy(plans, ({ featureName }) => featureName);
  return new Map([...byFlag].map(([name, own]) => [name, new Map(own.map((plan) => [plan.environment, plan]))]));
}

/**
 * Loads the stored release plans of the flags of a desired state. Loads none when the desired state has no release
 * plans: its flags then include the strategies of the plans.
 */
export async function loadFlagPlans(db: Db, { releasePlans, flags }: DesiredState): Promise<FlagPlans> {
  if (releasePlans === undefined) return { stored: new Map(), desired: [] };
  const stored = await loadPlans(
    db,
    flags.map(({ name }) => name),
  );
  return { stored, desired: releasePlans };
}

/** Returns the flag without the strategies that its release plans serve. */
export function withoutPlans(flag: FlagDefinition, stored: StoredPlans): FlagDefinition {
  const plans = stored.get(flag.feature.name);
  if (plans === undefined) return flag;
  const environments = [...flag.environments].map(([environment, state]) => {
    const plan = plans.get(environment);
    if (plan === undefined) return [environment, state] as const;
    const served = new Set(activeMilestone(plan).strategies.map(({ id }) => id));
    return [environment, { ...state, strategies: state.strategies.filter(({ id }) => !served.has(id)) }] as const;
  });
  return { ...flag, environments: new Map(environments) };
}

/**
 * Returns a function that adds to each environment of a desired flag the number of strategies that its release plan
 * will serve there.
 */
export function besidePlans({ stored, desired }: FlagPlans): (flag: DesiredFlag) => DesiredFlag {
  const named = Map.groupBy(desired, ({ featureName }) => featureName);
  return (flag) => {
    const [plans, own] = [stored.get(flag.name), named.get(flag.name)];
    if (flag.environments === undefined || (plans === undefined && own === undefined)) return flag;
    const environments = [...flag.environments].map(([name, state]) => {
      const found = own?.find(({ environment }) => environment === name);
      return [name, { ...state, strategiesOfPlan: servedAfter(plans?.get(name), found) }] as const;
    });
    return { ...flag, environments: new Map(environments) };
  };
}

/**
 * Returns a fault for each environment in which a flag would get strategies of its own beside a stored release plan
 * that the desired state does not name. For example, a state file that is older than the release plan has the
 * strategies that the plan replaced; applying it would serve them again.
 */
export function strategiesBesidePlans({ before, after }: FlagPlan, { stored, desired }: FlagPlans): Fault[] {
  const { name } = after.feature;
  return [...(stored.get(name) ?? [])].flatMap(([environment, plan]) => {
    if (plan.shadow || desired.some((each) => each.featureName === name && each.environment === environment)) return [];
    const own = new Set(before?.environments.get(environment)?.strategies.map(({ id }) => id));
    const isAdded = after.environments.get(environment)?.strategies.some(({ id }) => !own.has(id));
    const message = `would be served beside the release plan ${plan.name}, which is not named. Pull the state again, or name the plan in releasePlan`;
    return isAdded ? [{ path: `environments.${environment}.strategies`, message }] : [];
  });
}

function servedAfter(stored: Plan | undefined, desired: DesiredReleasePlan | undefined): number {
  if (desired?.plan === null) return 0;
  if (stored !== undefined) return stored.shadow ? 0 : activeMilestone(stored).strategies.length;
  return desired?.plan.shadow === true ? 0 : (desired?.plan.milestones?.[0]?.strategies.length ?? 0);
}
