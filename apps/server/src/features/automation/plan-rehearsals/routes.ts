import type { planRehearsalRoutes } from '@yardarm/contract';
import type { RunContext } from '#features/automation/actions/index.ts';
import type { QueryNow } from '#features/metrics/external-metrics/index.ts';
import { activeMilestone, presentGates } from '#features/releases/release-plans/index.ts';
import type { Handlers } from '#http/handler.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { rehearsePlan } from './rehearse-plan.ts';

export function planRehearsalHandlers(
  { db }: Database,
  clock: Clock,
  context: Pick<RunContext, 'runUrl'>,
  queryNow: QueryNow,
): Handlers<typeof planRehearsalRoutes> {
  return {
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/rehearse':
      async ({ params: { projectId: project, featureName, environment }, body, caller }) => {
        const place = { project, featureName, environment };
        const rehearsal = await rehearsePlan(db, clock, { ...context, caller, queryNow }, place, body);
        const { plan, from, to, steps, truncated, state, waitsFor } = rehearsal;
        return {
          body: {
            from: isoTime(from),
            to: isoTime(to),
            steps: steps.map(({ at, by, ...step }) => ({
              ...step,
              at: isoTime(at),
              signalId: by?.signalId ?? null,
              actionSet: by === undefined || by.set.name === null ? null : { id: by.set.id, name: by.set.name },
            })),
            totalMilestones: plan.milestones.length,
            truncated,
            milestone: activeMilestone(plan).name,
            state,
            waitsFor: presentGates(waitsFor),
          },
        };
      },
  };
}
