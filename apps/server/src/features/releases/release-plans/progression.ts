import { z } from 'zod';
import type { Feature } from '#features/flags/feature/index.ts';
import type { StrategyLimits } from '#features/flags/strategies/index.ts';
import { enqueueQueries } from '#features/metrics/external-metrics/index.ts';
import { readRecent } from '#features/metrics/impact-metrics/index.ts';
import type { JobKind } from '#jobs/runner.ts';
import type { Tx } from '#storage/tx.ts';
import { recordWaiting, tryStart } from './commands.ts';
import { featureOf } from './find-plan.ts';
import { type LookedAt, lookAtGates } from './gates/index.ts';
import { activeMilestone, milestoneAfter, type Plan, runOf, withLaterLook, withQuestion, withTime } from './plan.ts';
import type { SafeguardsOf } from './read-plans.ts';
import { readStoppedBy } from './stopped-by.ts';
import { findPlan, progressionKind, updatePlan } from './store.ts';

const payloadSchema = z.object({ planId: z.string(), at: z.number() });

/** Creates the kind of job that starts the next milestone of a plan when the gates of the active milestone are open. */
export function planProgression(limits: StrategyLimits, safeguardsOf: SafeguardsOf): JobKind {
  return {
    kind: progressionKind,
    records: true,
    run: async (tx, payload) => {
      await progress(tx, limits, safeguardsOf, payloadSchema.parse(payload));
      return undefined;
    },
  };
}

/**
 * Starts the milestone after the active one when its gates are open. Does nothing unless the plan is due at `at`, which
 * a later change of the plan may have moved. When a gate is closed, the plan looks again in a minute, or when the
 * Prometheus server should have answered. Each safeguard of the plan is a gate. When the milestone cannot start, for
 * example because a segment was deleted, pauses the plan with the reason.
 */
async function progress(
  tx: Tx,
  limits: StrategyLimits,
  safeguardsOf: SafeguardsOf,
  { planId, at }: { readonly planId: string; readonly at: number },
): Promise<void> {
  const plan = await findPlan(tx.db, planId);
  const next = plan && milestoneAfter(plan, plan.activeMilestoneId);
  if (plan === undefined || next === undefined || plan.nextAt !== at) return;
  // When the job runs late, because the server was away, the hours of the milestone may be over, or a stop has begun.
  const timely = withTime(plan, tx.now, (await readStoppedBy(tx.db, tx.now, [plan.featureName]))(plan));
  if (timely.nextAt === null || timely.nextAt > tx.now) return updatePlan(tx, timely);
  const run = runOf(plan, tx.now);
  const ofMilestone = run === undefined ? [] : await lookAtGates(tx.db, run, tx.now, readRecent);
  const gates = [...ofMilestone, ...(await safeguardsOf(tx.db, plan)).gates];
  const pending = gates.flatMap((gate) => gate.pending ?? []);
  await enqueueQueries(tx, pending);
  const because = gates.some((gate) => gate.pending !== undefined) ? 'pending' : 'closed';
  const closed = gates.filter(({ isOpen }) => !isOpen);
  const feature = await featureOf(tx.db, plan);
  if (closed.length > 0) {
    const asked = await askForApproval(tx, feature, plan, closed);
    return updatePlan(tx, withLaterLook(asked, tx.now, because));
  }
  await tryStart(tx, limits, feature, plan, next, { trigger: 'time', gates });
}

/**
 * Records once for a milestone that only the approval of a person is missing, and returns the plan with the time of it.
 * Records nothing for a plan in shadow mode.
 */
async function askForApproval(tx: Tx, feature: Feature, plan: Plan, closed: readonly LookedAt[]): Promise<Plan> {
  const { transitionCondition, askedAt } = activeMilestone(plan);
  const [gate] = closed;
  const isLeft = closed.length === 1 && gate?.gate === 'approval' && transitionCondition?.approval?.by === 'person';
  if (!isLeft || plan.shadow || askedAt !== undefined) return plan;
  await recordWaiting(tx, feature, plan, `${gate.text}.`);
  return withQuestion(plan, tx.now);
}
