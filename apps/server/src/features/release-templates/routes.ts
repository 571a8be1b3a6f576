import { maxMilestones, type releaseTemplateRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Database } from '../../storage/database.ts';
import * as commands from './commands.ts';
import { presentMilestone, presentMilestoneStrategy } from './milestone.ts';
import { presentTemplate } from './present.ts';
import { listTemplates } from './store.ts';

export function releaseTemplateHandlers(
  { db, write }: Database,
  limits: commands.TemplateLimits,
): Handlers<typeof releaseTemplateRoutes> {
  return {
    'GET /api/admin/release-plan-templates': async ({ query }) => {
      return { status: 200, body: (await listTemplates(db, query.archived === 'true')).map(presentTemplate) };
    },
    'POST /api/admin/release-plan-templates': async ({ body, caller, request }) => {
      const template = await write(authorOf(caller, request), (tx) => commands.createTemplate(tx, limits, body));
      return { status: 200, body: presentTemplate(template) };
    },
    'GET /api/admin/release-plan-templates/:templateId': async ({ params }) => {
      return { status: 200, body: presentTemplate(await commands.requireTemplate(db, params.templateId)) };
    },
    'PUT /api/admin/release-plan-templates/:templateId': async ({ params, body, caller, request }) => {
      const template = await write(authorOf(caller, request), (tx) =>
        commands.updateTemplate(tx, limits, params.templateId, body),
      );
      return { status: 200, body: presentTemplate(template) };
    },
    'DELETE /api/admin/release-plan-templates/:templateId': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteTemplate(tx, params.templateId));
      return { status: 200 };
    },
    'POST /api/admin/release-plan-templates/archive/:templateId': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.archiveTemplate(tx, params.templateId));
      return { status: 200 };
    },
    'POST /api/admin/release-plan-templates/revive/:templateId': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.reviveTemplate(tx, limits, params.templateId));
      return { status: 200 };
    },
    'POST /api/admin/release-plan-templates/:templateId/milestones': async ({ params, body, caller, request }) => {
      const milestone = await write(authorOf(caller, request), (tx) =>
        commands.addMilestone(tx, limits, params.templateId, body, maxMilestones),
      );
      return { status: 200, body: presentMilestone(milestone, params.templateId) };
    },
    'PUT /api/admin/release-plan-templates/:templateId/milestones/:milestoneId': async (input) => {
      const { params, body, caller, request } = input;
      const milestone = await write(authorOf(caller, request), (tx) =>
        commands.replaceMilestone(tx, limits, params, body),
      );
      return { status: 200, body: presentMilestone(milestone, params.templateId) };
    },
    'DELETE /api/admin/release-plan-templates/:templateId/milestones/:milestoneId': async (input) => {
      const { params, caller, request } = input;
      await write(authorOf(caller, request), (tx) => commands.deleteMilestone(tx, params));
      return { status: 200 };
    },
    'POST /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies': async (input) => {
      const { params, body, caller, request } = input;
      const milestone = await write(authorOf(caller, request), (tx) =>
        commands.addMilestoneStrategy(tx, limits, params, body),
      );
      return { status: 200, body: presentMilestone(milestone, params.templateId) };
    },
    'PUT /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies/:strategyId': async (
      input,
    ) => {
      const { params, body, caller, request } = input;
      const strategy = await write(authorOf(caller, request), (tx) =>
        commands.replaceMilestoneStrategy(tx, limits, params, body),
      );
      return { status: 200, body: presentMilestoneStrategy(strategy, params.milestoneId) };
    },
    'DELETE /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies/:strategyId': async (
      input,
    ) => {
      const { params, caller, request } = input;
      await write(authorOf(caller, request), (tx) => commands.deleteMilestoneStrategy(tx, params));
      return { status: 200 };
    },
  };
}
