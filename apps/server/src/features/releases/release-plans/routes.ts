import { type releasePlanRoutes, warnOfShortSteps } from '@yardarm/contract';
import { requireLower } from '#features/flags/flags/index.ts';
import type { StrategyLimits } from '#features/flags/strategies/index.ts';
import { presentMilestone, presentMilestoneStrategy } from '#features/releases/release-templates/index.ts';
import type { Handlers } from '#http/handler.ts';
import { requirePermission } from '#http/permission.ts';
import { authorOf } from '#http/request.ts';
import { warningHeaders } from '#http/warnings.ts';
import type { Database } from '#storage/database.ts';
import { approveMilestone } from './approve.ts';
import * as commands from './commands.ts';
import type { Place } from './find-plan.ts';
import type { ReadPlan } from './read-plans.ts';

type Params = { readonly projectId: string; readonly featureName: string; readonly environment: string };

export function releasePlanHandlers(
  database: Database,
  read: ReadPlan,
  limits: StrategyLimits,
): Handlers<typeof releasePlanRoutes> {
  const { db, write } = database;
  return {
    'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': async (
      input,
    ) => {
      const plan = await commands.planOf(db, placeOf(input.params));
      return { status: 200, body: plan === undefined ? [] : [await read(db, plan)] };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': async (
      input,
    ) => {
      const { params, body, caller, request } = input;
      const place = placeOf(params);
      if (body.strategies === 'remove') requirePermission(caller, 'DELETE_FEATURE_STRATEGY', place);
      const plan = await write(authorOf(caller, request), (tx) => commands.addPlan(tx, limits, place, body));
      return { status: 200, body: await read(db, plan) };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId':
      async ({ params, query, caller, request }) => {
        const ref = { ...placeOf(params), planId: params.planId };
        await write(authorOf(caller, request), (tx) => commands.removePlan(tx, limits, ref, query.strategies));
        return { status: 200 };
      },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start':
      async ({ params, query, caller, request }) => {
        const ref = { ...placeOf(params), planId: params.planId, milestoneId: params.milestoneId };
        if (query.strategies === 'remove') requirePermission(caller, 'DELETE_FEATURE_STRATEGY', ref);
        const mayOnlyLower = !caller.can('UPDATE_FEATURE_STRATEGY', ref);
        const { plan, milestone } = await write(authorOf(caller, request), (tx) => {
          const start = () =>
            commands.startMilestone(tx, limits, ref, {
              strategies: query.strategies,
              endsShadow: query.shadow === 'false',
              mustBeEarlier: mayOnlyLower,
            });
          return mayOnlyLower ? requireLower(tx, ref, start) : start();
        });
        return { status: 200, body: presentMilestone(milestone, plan.id, plan.pausedAt) };
      },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/approve':
      async ({ params, caller, request }) => {
        const ref = { ...placeOf(params), planId: params.planId, milestoneId: params.milestoneId };
        const { plan, milestone } = await write(authorOf(caller, request), (tx) => approveMilestone(tx, ref));
        return { status: 200, body: presentMilestone(milestone, plan.id, plan.pausedAt) };
      },
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/milestone-strategies/:strategyId':
      async ({ params, body, caller, request }) => {
        const ref = { ...placeOf(params), strategyId: params.strategyId };
        const { strategy, milestone } = await write(authorOf(caller, request), (tx) =>
          commands.changeMilestoneStrategy(tx, limits, ref, body),
        );
        return { status: 200, body: presentMilestoneStrategy(strategy, milestone.id) };
      },
    ...progressionHandlers(database, read),
  };
}

/** Returns the handlers of the routes that set the gates of milestones, and that pause and resume plans. */
function progressionHandlers({ db, write }: Database, read: ReadPlan) {
  return {
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:id': async (
      input,
    ) => {
      const { params, body, caller, request } = input;
      const { transitionCondition, targetMilestone } = body;
      const ref = { ...placeOf(params), milestoneId: params.id };
      const { plan, source, next } = await write(authorOf(caller, request), (tx) =>
        commands.setProgression(tx, ref, transitionCondition, targetMilestone),
      );
      const isGuarded = (await read(db, plan)).safeguards.length > 0;
      return {
        status: 200,
        headers: warningHeaders([isGuarded ? warnOfShortSteps(plan.milestones, source.name) : undefined]),
        body: { sourceMilestone: source.id, targetMilestone: next.id, transitionCondition },
      };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:id': async (
      input,
    ) => {
      const { params, caller, request } = input;
      const ref = { ...placeOf(params), milestoneId: params.id };
      await write(authorOf(caller, request), (tx) => commands.setProgression(tx, ref, null));
      return { status: 204 };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/pause':
      async ({ params, caller, request }) => {
        const ref = { ...placeOf(params), planId: params.planId };
        await write(authorOf(caller, request), (tx) => commands.pausePlan(tx, ref));
        return { status: 200 };
      },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/resume':
      async ({ params, caller, request }) => {
        const ref = { ...placeOf(params), planId: params.planId };
        await write(authorOf(caller, request), (tx) => commands.resumePlan(tx, ref));
        return { status: 200 };
      },
  } satisfies Partial<Handlers<typeof releasePlanRoutes>>;
}

function placeOf({ projectId, featureName, environment }: Params): Place {
  return { project: projectId, featureName, environment };
}
