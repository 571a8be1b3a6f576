import { actionsOnFlag, type RunContext } from '#features/automation/actions/index.ts';
import type { QueryNow } from '#features/metrics/external-metrics/index.ts';
import { createReadPastRecent } from '#features/metrics/impact-metrics/index.ts';
import {
  type DraftSource,
  draftPlan,
  type Place,
  type Rehearsal,
  rehearse,
} from '#features/releases/release-plans/index.ts';
import { lookAtPastSafeguards } from '#features/releases/safeguards/index.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#storage/tx.ts';

const hourMs = 60 * 60 * 1000;
const minuteMs = 60_000;

export interface RehearsedPeriod {
  /** Milliseconds UTC. */
  readonly from: number;
  readonly to: number;
}

export interface RehearsalContext extends Pick<RunContext, 'runUrl'> {
  readonly caller: Pick<Identity, 'hidden' | 'can'>;
  readonly queryNow: QueryNow;
}

/**
 * Rehearses a plan on the signals, evaluations and metrics that are stored of the last `hours`, and on metrics that the
 * Prometheus server has of this time. Names action sets only for callers who may read actions. Must be called outside
 * of transactions. Looks at closed gates and safeguards every minute for up to 24 hours, and less often for a longer
 * time, so that the number of reads is limited.
 */
export async function rehearsePlan(
  db: Db,
  clock: Clock,
  context: RehearsalContext,
  place: Place,
  { hours, ...source }: DraftSource & { readonly hours: number },
): Promise<Rehearsal & RehearsedPeriod> {
  const to = clock.now();
  const asked = to - hours * hourMs;
  // The input is checked before signals are read.
  const plan = await draftPlan(db, context.caller, place, source);
  const { actions, readSince: from } = await actionsOnFlag(db, context, place, asked);
  const mayRead = context.caller.can('READ_ACTIONS', { project: place.project });
  const { planId } = source;
  const read = createReadPastRecent(context.queryNow, clock, to);
  const rehearsal = await rehearse(db, plan, {
    actions: actions
      .filter(({ at }) => at >= from)
      .map(({ set, ...action }) => ({ ...action, set: mayRead ? set : { ...set, name: null } })),
    from,
    to,
    everyMs: Math.max(1, Math.ceil(hours / 24)) * minuteMs,
    read,
    lookAtSafeguards:
      planId === undefined
        ? async () => ({ holding: new Map(), failures: [], gates: [] })
        : await lookAtPastSafeguards(db, { ...place, planId }, read),
  });
  return { ...rehearsal, from, to };
}
