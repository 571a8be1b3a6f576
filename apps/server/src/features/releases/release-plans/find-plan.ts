import {
  type Feature,
  type FeatureEvent,
  findFeature,
  recordFeatureEvents,
  requireFeature,
} from '#features/flags/feature/index.ts';
import { notInEnvironment, statesIn } from '#features/flags/states/index.ts';
import type { Milestone } from '#features/releases/release-templates/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Plan } from './plan.ts';
import * as store from './store.ts';

/** A flag of a project in an environment. */
export interface Place {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
}

/** Returns the plan of a flag in an environment, if it has one. */
export async function planIn(db: Db, { featureName, environment }: Omit<Place, 'project'>): Promise<Plan | undefined> {
  return (await store.plansOn(db, [featureName])).find((plan) => plan.environment === environment);
}

/** Returns the plan with its flag. Rejects with 404 when the flag has no such plan. */
export async function requirePlan(db: Db, ref: Place & { readonly planId: string }) {
  const { feature, plan } = await requirePlanIn(db, ref, ref.planId, 'release plan');
  if (plan.id !== ref.planId) throw noSuch('release plan', ref.planId, ref);
  return { feature, plan };
}

/**
 * Returns the plan of a flag in an environment, with the flag. Rejects with 404 when there is none. The message names
 * what the caller looks for: a `what`, such as a milestone, with this `id`.
 */
export async function requirePlanIn(db: Db, place: Place, id: string, what: string) {
  const feature = await requireFeature(db, place);
  const plan = await planIn(db, place);
  if (plan === undefined) throw noSuch(what, id, place);
  return { feature, plan };
}

/** Returns the flag of a plan. */
export async function featureOf(db: Db, { featureName }: Plan): Promise<Feature> {
  const feature = await findFeature(db, featureName);
  if (feature === undefined) throw new Error(`the flag ${featureName} of a release plan is missing`);
  return feature;
}

/** Returns a milestone of a plan. Rejects with 404 when the plan has no such milestone. */
export function requireMilestone(plan: Plan, id: string): Milestone {
  const milestone = plan.milestones.find((candidate) => candidate.id === id);
  if (milestone !== undefined) return milestone;
  throw new Problem('NotFoundError', `The release plan ${plan.name} has no milestone ${id}.`);
}

/** Returns the 404 for a release plan, or a part of a plan, that the flag does not have. */
export function noSuch(what: string, id: string, { featureName, environment }: Place): Problem {
  return new Problem('NotFoundError', `The flag ${featureName} has no ${what} ${id} in ${environment}.`);
}

/** Rejects with 404 when the flag is not in the environment. */
export async function requireInEnvironment(db: Db, { featureName, environment }: Place): Promise<void> {
  if (!(await statesIn(db, environment, [featureName])).has(featureName))
    throw notInEnvironment(featureName, environment);
}

/** Records events of a flag in an environment. */
export function record(tx: Tx, feature: Feature, environment: string, events: readonly FeatureEvent[]): Promise<void> {
  return recordFeatureEvents(
    tx,
    events.map((event) => ({ feature, event: { ...event, environment } })),
  );
}
