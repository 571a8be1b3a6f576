import type { EvaluationContext } from '@yardarm/evaluation';
import { requireUsable } from '#features/flags/feature/index.ts';
import { type ClientFeature, loadClientFeatures, toClientStrategy } from '#features/flags/reading/index.ts';
import { constraintsColumn, loadClientSegments } from '#features/flags/segments/index.ts';
import { listStrategies, type Strategy } from '#features/flags/strategies/index.ts';
import { flagVariantsColumn } from '#features/flags/variants/index.ts';
import { activeMilestone, type Place, requireMilestone, requirePlan } from '#features/releases/release-plans/index.ts';
import type { RecentContexts } from '#features/sdks/recent-contexts/index.ts';
import { compilePreview, FeatureQuery, type FlagSetCache } from '#features/sdks/sdk/index.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { asSent, type CompareOptions, countChanges } from './count-changes.ts';
import type { EffectCounts, EffectExamples } from './effect-counter.ts';
import { missingFields } from './missing-fields.ts';
import { sampleContexts } from './sample.ts';

export interface EffectOptions extends CompareOptions {
  readonly database: Pick<Database, 'db'>;
  readonly flagSets: FlagSetCache;
  readonly recentContexts: RecentContexts;
}

export interface MilestoneEffect extends ContextsEffect {
  /** Whether the contexts are a sample; false for given contexts. */
  readonly sampled: boolean;
  readonly examples: EffectExamples;
  /** The effect on contexts that clients sent, since `since`. Null for given contexts, and when no client sent one. */
  readonly seen: (ContextsEffect & { readonly since: string }) | null;
}

interface ContextsEffect extends EffectCounts {
  /** The context fields that are compared with values and that the contexts do not have. */
  readonly missingFields: string[];
}

export interface EffectQuestion {
  /** A sample of users when absent. */
  readonly contexts?: readonly EvaluationContext[] | undefined;
  /** `remove`: the flag loses its own strategies when the start ends shadow mode; without effect on other plans. */
  readonly strategies?: 'keep' | 'remove' | undefined;
}

/** A milestone of the release plan of a flag. */
type MilestoneRef = Place & { readonly planId: string; readonly milestoneId: string };

/**
 * Compares what contexts get now with what they would get after the start of a milestone, without changing anything.
 * The flag counts as on and not held. When no contexts are given, evaluates a sample of user ids, and the contexts that
 * clients sent lately. Rejects with 404 for an unknown flag, plan or milestone, and with 400 for an archived flag.
 */
export async function milestoneEffect(
  options: EffectOptions,
  ref: MilestoneRef,
  { contexts: given, strategies }: EffectQuestion,
): Promise<MilestoneEffect> {
  const start = await startOf(options, ref, strategies === 'remove');
  const count = async (contexts: readonly EvaluationContext[], compared = contexts) => {
    const counter = await countChanges(options, start, contexts);
    return { ...counter.counts(), examples: counter.examples, missingFields: missingFields(start.compared, compared) };
  };
  if (given !== undefined) return { sampled: false, ...(await count(given)), seen: null };
  // Constraints do not name the ids of sampled users, so these have no field that is compared.
  const sampled = { sampled: true, ...(await count(sampleContexts(start.sticky), [])) };
  const seen = options.recentContexts.of(ref.environment, ref.project);
  if (seen === undefined) return { ...sampled, seen: null };
  const { examples: _personalData, ...counts } = await count(seen.contexts.map((context) => asSent(context, options)));
  return { ...sampled, seen: { ...counts, since: isoTime(seen.since) } };
}

async function startOf({ database: { db }, flagSets }: EffectOptions, ref: MilestoneRef, removesOwn: boolean) {
  const { environment } = ref;
  const { feature, before, after } = await strategiesAround(db, ref, removesOwn);
  const all = [...before, ...after];
  const segments = await loadClientSegments(db, [...new Set(all.flatMap((strategy) => strategy.segments))]);
  const compile = (strategies: readonly PlainStrategy[]) =>
    compilePreview(withStrategies(feature, environment, strategies), environment, segments);
  return {
    environment,
    flagSet: await flagSets.of(new FeatureQuery({ environment, projects: ['*'] }, {}, false)),
    before: compile(before),
    after: compile(after),
    compared: [
      ...all,
      ...segments.map(({ id, constraintsJson }) => ({ constraints: constraintsColumn.parse(constraintsJson, id) })),
    ],
    sticky: [...all, { variants: variantsIn(feature, environment) }],
  };
}

/**
 * Returns a flag with the strategies that it has, and those that it would have after the start of a milestone. Disabled
 * strategies are left out.
 */
async function strategiesAround(db: Db, ref: MilestoneRef, removesOwn: boolean) {
  await requireUsable(db, ref);
  const { plan } = await requirePlan(db, ref);
  const milestone = requireMilestone(plan, ref.milestoneId);
  const [[feature], present] = await Promise.all([
    loadClientFeatures(db, [ref.featureName]),
    listStrategies(db, [ref.featureName], ref.environment),
  ]);
  if (feature === undefined) throw new Error(`the flag ${ref.featureName} of a release plan is missing`);
  const replaced = new Set(activeMilestone(plan).strategies.map(({ id }) => id));
  const isActive = ({ disabled }: { readonly disabled: boolean }) => !disabled;
  const kept = removesOwn && plan.shadow ? [] : present.filter(({ id }) => !replaced.has(id));
  return {
    feature,
    before: present.filter(isActive),
    after: [...kept, ...milestone.strategies].filter(isActive),
  };
}

/** Returns the flag as it would be with these strategies, switched on in the environment and not held. */
function withStrategies(
  feature: ClientFeature,
  environment: string,
  strategies: readonly PlainStrategy[],
): ClientFeature {
  const environments = feature.environments.map((state) =>
    state.environment === environment
      ? { ...state, enabled: true, strategies: strategies.map(toClientStrategy) }
      : state,
  );
  return { ...feature, environments };
}

type PlainStrategy = Omit<Strategy, 'featureName' | 'environment' | 'createdAt'>;

function variantsIn({ name, environments }: ClientFeature, environment: string) {
  const json = environments.find((state) => state.environment === environment)?.variantsJson ?? '[]';
  return flagVariantsColumn.parse(json, `${name} in ${environment}`);
}
