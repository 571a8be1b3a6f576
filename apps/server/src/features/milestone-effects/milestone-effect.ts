import { type CompiledFlag, type EvaluationContext, readyContext } from '@yardarm/evaluation';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { Db } from '../../storage/tx.ts';
import {
  type ClientFeature,
  flagVariantsColumn,
  listStrategies,
  loadClientFeatures,
  requireUsable,
  type Strategy,
  toClientStrategy,
} from '../flags/index.ts';
import { activeMilestone, type Place, requireMilestone, requirePlan } from '../release-plans/index.ts';
import { compilePreview, type EvaluationBudgets, FeatureQuery, type FlagSetCache, WorkSlices } from '../sdk/index.ts';
import { constraintsColumn, loadClientSegments } from '../segments/index.ts';
import { type Effect, EffectCounter } from './effect-counter.ts';
import { missingFields } from './missing-fields.ts';
import { replayable, sampleContexts } from './sample.ts';

export interface EffectOptions {
  readonly database: Pick<Database, 'db'>;
  readonly flagSets: FlagSetCache;
  readonly clock: Clock;
  readonly random: () => number;
  readonly budgets: EvaluationBudgets;
}

export interface MilestoneEffect extends Effect {
  /** Whether the contexts are a sample; false for given contexts. */
  readonly sampled: boolean;
  /** The context fields that are compared with values and that the contexts do not have. */
  readonly missingFields: string[];
}

export interface EffectQuestion {
  /** A sample of users when absent. */
  readonly contexts?: readonly EvaluationContext[] | undefined;
  /** `remove`: the flag loses its own strategies with the start. */
  readonly strategies?: 'keep' | 'remove' | undefined;
}

/** A milestone of the release plan of a flag. */
type MilestoneRef = Place & { readonly planId: string; readonly milestoneId: string };

/** Contexts per turn of the event loop: about a millisecond of work. */
const contextsAtOnce = 50;

/**
 * Compares what contexts get now with what they would get after the start of a milestone, without changing anything.
 * The flag counts as on and not held. Evaluates a sample of user ids when no contexts are given. Rejects with 404 for
 * an unknown flag, plan or milestone, and with 400 for an archived flag.
 */
export async function milestoneEffect(
  { database: { db }, flagSets, clock, random, budgets }: EffectOptions,
  ref: MilestoneRef,
  { contexts: given, strategies }: EffectQuestion,
): Promise<MilestoneEffect> {
  const { environment } = ref;
  const { feature, before, after } = await strategiesAround(db, ref, strategies === 'remove');
  const all = [...before, ...after];
  const segments = await loadClientSegments(db, [...new Set(all.flatMap((strategy) => strategy.segments))]);
  const contexts = given ?? sampleContexts([...all, { variants: variantsIn(feature, environment) }]);
  // Parent flags are evaluated as they are.
  const flagSet = await flagSets.of(new FeatureQuery({ environment, projects: ['*'] }, {}, false));
  const compile = (strategies: readonly PlainStrategy[]) =>
    compilePreview(withStrategies(feature, environment, strategies), environment, segments);
  const [now, then] = [compile(before), compile(after)];
  const budget = budgets.forPlayground();
  const slices = new WorkSlices(budget, contextsAtOnce);
  const counter = new EffectCounter();
  const time = clock.now();
  for (const context of contexts) {
    const numbers = replayable(random);
    const evaluate = (flag: CompiledFlag) =>
      flagSet.evaluate(
        flag,
        readyContext({ environment, ...context }, { now: time, random: numbers.replay(), budget }),
      );
    counter.add(context, evaluate(now), evaluate(then));
    await slices.itemDone();
  }
  const compared = [
    ...all,
    ...segments.map(({ id, constraintsJson }) => ({ constraints: constraintsColumn.parse(constraintsJson, id) })),
  ];
  return {
    sampled: given === undefined,
    ...counter.effect(),
    missingFields: missingFields(compared, given ?? []),
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
  const kept = removesOwn ? [] : present.filter(({ id }) => !replaced.has(id));
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
