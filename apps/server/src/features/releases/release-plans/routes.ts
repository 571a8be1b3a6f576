import { type releasePlanRoutes, warnOfShortSteps } from '@yardarm/contract';
import { requireLower } from '#features/flags/flags/index.ts';
import type { StrategyLimits } from '#features/flags/strategies/index.ts';
import { presentMilestone, presentMilestoneStrategy } from '#features/releases/release-templates/index.ts';
import type { Handlers } from '#http/handler.ts';
import { requirePermission } from '#http/permission.ts';
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
      return { body: plan === undefined ? [] : [await read(db, plan)] };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': async (
      input,
    ) => {
      const { params, body, author, caller } = input;
      const place = placeOf(params);
      if (body.strategies === 'remove') requirePermission(caller, 'DELETE_FEATURE_STRATEGY', place);
      const plan = await write(author, (tx) => commands.addPlan(tx, limits, place, body));
      return { body: await read(db, plan) };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId':
      async ({ params, query, author }) => {
        const ref = { ...placeOf(params), planId: params.planId };
        await write(author, (tx) => commands.removePlan(tx, limits, ref, query.strategies));
      },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start':
      async ({ params, query, author, caller }) => {
        const ref = { ...placeOf(params), planId: params.planId, milestoneId: params.milestoneId };
        if (query.strategies === 'remove') requirePermission(caller, 'DELETE_FEATURE_STRATEGY', ref);
        const mayOnlyLower = !caller.can('UPDATE_FEATURE_STRATEGY', ref);
        const { plan, milestone } = await write(author, (tx) => {
          const start = () =>
            commands.startMilestone(tx, limits, ref, {
              strategies: query.strategies,
              endsShadow: query.shadow === 'false',
              mustBeEarlier: mayOnlyLower,
            });
          return mayOnlyLower ? requireLower(tx, ref, start) : start();
        });
        return { body: presentMilestone(milestone, plan.id, plan.pausedAt) };
      },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/approve':
      async ({ params, author }) => {
        const ref = { ...placeOf(params), planId: params.planId, milestoneId: params.milestoneId };
        const { plan, milestone } = await write(author, (tx) => approveMilestone(tx, ref));
        return { body: presentMilestone(milestone, plan.id, plan.pausedAt) };
      },
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/milestone-strategies/:strategyId':
      async ({ params, body, author }) => {
        const ref = { ...placeOf(params), strategyId: params.strategyId };
        const { strategy, milestone } = await write(author, (tx) =>
          commands.changeMilestoneStrategy(tx, limits, ref, body),
        );
        return { body: presentMilestoneStrategy(strategy, milestone.id) };
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
      const { params, body, author } = input;
      const { transitionCondition, targetMilestone } = body;
      const ref = { ...placeOf(params), milestoneId: params.id };
      const { plan, source, next } = await write(author, (tx) =>
        commands.setProgression(tx, ref, transitionCondition, targetMilestone),
      );
      const isGuarded = (await read(db, plan)).safeguards.length > 0;
      return {
        headers: warningHeaders([isGuarded ? warnOfShortSteps(plan.milestones, source.name) : undefined]),
        body: { sourceMilestone: source.id, targetMilestone: next.id, transitionCondition },
      };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:id': async (
      input,
    ) => {
      const { params, author } = input;
      const ref = { ...placeOf(params), milestoneId: params.id };
      await write(author, (tx) => commands.setProgression(tx, ref, null));
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/pause':
      async ({ params, author }) => {
        const ref = { ...placeOf(params), planId: params.planId };
        await write(author, (tx) => commands.pausePlan(tx, ref));
      },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/resume':
      async ({ params, author }) => {
        const ref = { ...placeOf(params), planId: params.planId };
        await write(author, (tx) => commands.resumePlan(tx, ref));
      },
  } satisfies Partial<Handlers<typeof releasePlanRoutes>>;
}

function placeOf({ projectId, featureName, environment }: Params): Place {
  return { project: projectId, featureName, environment };
}
