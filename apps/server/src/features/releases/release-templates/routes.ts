import { maxMilestones, type Permission, type releaseTemplateRoutes } from '@yardarm/contract';
import { requireOwningProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { requirePermission } from '#http/permission.ts';
import type { Author } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { isHiddenFrom } from '#kernel/visible-names.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import * as commands from './commands.ts';
import { presentMilestone, presentMilestoneStrategy } from './milestone.ts';
import { presentTemplate } from './present.ts';
import { listTemplates } from './store.ts';

/** The routes of release templates. */
export function releaseTemplateHandlers(
  database: Database,
  limits: commands.TemplateLimits,
): Handlers<typeof releaseTemplateRoutes> {
  return { ...templateHandlers(database, limits), ...milestoneHandlers(database, limits) };
}

type OfMilestones = Extract<keyof typeof releaseTemplateRoutes, `${string}/milestones${string}`>;

function templateHandlers(
  { db, write }: Database,
  limits: commands.TemplateLimits,
): Omit<Handlers<typeof releaseTemplateRoutes>, OfMilestones> {
  const change = changeOf(write);
  return {
    'GET /api/admin/release-plan-templates': async ({ query: { archived, project }, caller }) => {
      const templates = await listTemplates(db, archived === 'true', project);
      return { body: templates.filter((each) => !isHiddenFrom(caller, each)).map(presentTemplate) };
    },
    'POST /api/admin/release-plan-templates': async ({ body, author, caller }) => {
      const requireMayChange = templateChangeCheck(caller, 'RELEASE_PLAN_TEMPLATE_CREATE');
      await requireOwningProject(db, caller, body.project ?? null, requireMayChange);
      const template = await write(author, (tx) => commands.createTemplate(tx, limits, body));
      return { body: presentTemplate(template) };
    },
    'GET /api/admin/release-plan-templates/:templateId': async ({ params, caller }) => ({
      body: presentTemplate(await commands.requireVisibleTemplate(db, params.templateId, caller)),
    }),
    'PUT /api/admin/release-plan-templates/:templateId': async (input) => {
      const { params, body, caller } = input;
      const template = await change(input, 'RELEASE_PLAN_TEMPLATE_UPDATE', async (tx, requireMayChange) => {
        if (body.project !== undefined) await requireOwningProject(tx.db, caller, body.project, requireMayChange);
        return commands.updateTemplate(tx, limits, params.templateId, body);
      });
      return { body: presentTemplate(template) };
    },
    'DELETE /api/admin/release-plan-templates/:templateId': async (input) =>
      change(input, 'RELEASE_PLAN_TEMPLATE_DELETE', (tx) => commands.deleteTemplate(tx, input.params.templateId)),
    'POST /api/admin/release-plan-templates/archive/:templateId': async (input) =>
      change(input, 'RELEASE_PLAN_TEMPLATE_UPDATE', (tx) => commands.archiveTemplate(tx, input.params.templateId)),
    'POST /api/admin/release-plan-templates/revive/:templateId': async (input) =>
      change(input, 'RELEASE_PLAN_TEMPLATE_UPDATE', (tx) =>
        commands.reviveTemplate(tx, limits, input.params.templateId),
      ),
  };
}

function milestoneHandlers(
  { write }: Database,
  limits: commands.TemplateLimits,
): Pick<Handlers<typeof releaseTemplateRoutes>, OfMilestones> {
  const change = changeOf(write);
  const needs = 'RELEASE_PLAN_TEMPLATE_UPDATE';
  return {
    'POST /api/admin/release-plan-templates/:templateId/milestones': async (input) => {
      const { templateId } = input.params;
      const milestone = await change(input, needs, (tx) =>
        commands.addMilestone(tx, limits, templateId, input.body, maxMilestones),
      );
      return { body: presentMilestone(milestone, templateId) };
    },
    'PUT /api/admin/release-plan-templates/:templateId/milestones/:milestoneId': async (input) => {
      const { params, body } = input;
      const milestone = await change(input, needs, (tx) => commands.replaceMilestone(tx, limits, params, body));
      return { body: presentMilestone(milestone, params.templateId) };
    },
    'DELETE /api/admin/release-plan-templates/:templateId/milestones/:milestoneId': async (input) =>
      change(input, needs, (tx) => commands.deleteMilestone(tx, input.params)),
    'POST /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies': async (input) => {
      const { params, body } = input;
      const milestone = await change(input, needs, (tx) => commands.addMilestoneStrategy(tx, limits, params, body));
      return { body: presentMilestone(milestone, params.templateId) };
    },
    'PUT /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies/:strategyId': async (
      input,
    ) => {
      const { params, body } = input;
      const strategy = await change(input, needs, (tx) => commands.replaceMilestoneStrategy(tx, limits, params, body));
      return { body: presentMilestoneStrategy(strategy, params.milestoneId) };
    },
    'DELETE /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies/:strategyId': async (
      input,
    ) => change(input, needs, (tx) => commands.deleteMilestoneStrategy(tx, input.params)),
  };
}

/** A request that changes a template. */
interface ChangeRequest {
  readonly params: { readonly templateId: string };
  readonly author: Author;
  readonly caller: Identity;
}

type RequireMayChange = (project: string | null) => void;

/**
 * Returns a function that changes a template in one transaction. It rejects with 404 unless the caller sees the
 * template, and with 403 unless the caller may change it.
 */
function changeOf(write: Database['write']) {
  return <T>(
    { params, author, caller }: ChangeRequest,
    permission: Permission,
    run: (tx: Tx, requireMayChange: RequireMayChange) => Promise<T>,
  ): Promise<T> =>
    write(author, async (tx) => {
      const requireMayChange = templateChangeCheck(caller, permission);
      requireMayChange((await commands.requireVisibleTemplate(tx.db, params.templateId, caller)).project);
      return run(tx, requireMayChange);
    });
}

/**
 * Returns a check that throws a 403 unless the caller may change templates of a project, or those of all projects for
 * null. UPDATE_PROJECT_RELEASE_TEMPLATE is enough for templates of a project.
 */
function templateChangeCheck(caller: Identity, permission: Permission): RequireMayChange {
  return (project) =>
    project === null
      ? requirePermission(caller, permission, {})
      : requirePermission(caller, [permission, 'UPDATE_PROJECT_RELEASE_TEMPLATE'], { project });
}
