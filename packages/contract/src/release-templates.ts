import { z } from 'zod';
import type { Permission } from './permissions.ts';
import {
  milestoneBody,
  milestoneSchema,
  milestoneStrategyBody,
  milestoneStrategySchema,
  milestonesBody,
} from './release-milestones.ts';
import { type Check, defineRoutes, empty, json } from './route.ts';
import { dateTime } from './scalars.ts';
import { keyText, nameParam, plainText } from './text.ts';

/** A template of release plans. */
export const releaseTemplateSchema = z.object({
  id: z.string(),
  discriminator: z.literal('template'),
  name: z.string(),
  description: z.string().nullable(),
  project: z
    .string()
    .nullable()
    .meta({ description: 'The project whose flags can use the template; null for all projects' }),
  createdByUserId: z.number().int(),
  createdAt: dateTime,
  milestones: z.array(milestoneSchema),
  archivedAt: dateTime.nullable(),
});

export const releaseNames = {
  name: keyText(255),
  description: plainText(4000).nullable().optional(),
};
const project = nameParam
  .nullable()
  .optional()
  .meta({ description: 'The project whose flags can use the template; null for all projects' });

/**
 * Returns the permission checks of template routes. UPDATE_PROJECT_RELEASE_TEMPLATE is enough for a template of a
 * project. As for segments, one set of routes has a nullable `project`, null being what clients of Unleash send and
 * get: routes below a project would double thirteen. Names are unique in the instance, because states and events name
 * them.
 */
function ofTemplate(permission: Permission): readonly Check[] {
  return [
    { permission, where: 'for a template of all projects' },
    { permission: [permission, 'UPDATE_PROJECT_RELEASE_TEMPLATE'], where: 'for a template of a project' },
  ];
}

const changes = { access: 'signed-in', checks: ofTemplate('RELEASE_PLAN_TEMPLATE_UPDATE') } as const;

/** Templates of release plans. Plans are copies: changes of a template do not reach them. */
export const releaseTemplateRoutes = defineRoutes('Release templates', {
  'GET /api/admin/release-plan-templates': {
    summary: 'List the release templates that are not archived, by name',
    description:
      'With `archived=true`, those that are archived. With `project`, those that flags of the project can use.',
    access: 'signed-in',
    query: z.object({ archived: z.enum(['true', 'false']).optional(), project: nameParam.optional() }),
    answers: { 200: json(z.array(releaseTemplateSchema)) },
  },
  'POST /api/admin/release-plan-templates': {
    summary: 'Create a release template',
    access: 'signed-in',
    checks: ofTemplate('RELEASE_PLAN_TEMPLATE_CREATE'),
    body: z.object({ ...releaseNames, project, milestones: milestonesBody.default([]) }),
    answers: { 200: json(releaseTemplateSchema) },
    errors: [404, 409],
    emits: ['release-plan-template-created'],
  },
  'GET /api/admin/release-plan-templates/:templateId': {
    summary: 'Get a release template',
    access: 'signed-in',
    answers: { 200: json(releaseTemplateSchema) },
  },
  'PUT /api/admin/release-plan-templates/:templateId': {
    summary: 'Update a release template; its milestones are replaced when they are given',
    description: 'Moving a template to another project, or to all, needs the permission in both.',
    ...changes,
    body: z.object({ ...releaseNames, project, milestones: milestonesBody.optional() }),
    answers: { 200: json(releaseTemplateSchema) },
    errors: [409],
    emits: ['release-plan-template-updated'],
  },
  'DELETE /api/admin/release-plan-templates/:templateId': {
    summary: 'Delete a release template; plans made from it stay',
    access: 'signed-in',
    checks: ofTemplate('RELEASE_PLAN_TEMPLATE_DELETE'),
    answers: { 200: empty },
    emits: ['release-plan-template-deleted'],
  },
  'POST /api/admin/release-plan-templates/archive/:templateId': {
    summary: 'Archive a release template: it stays readable and cannot be applied',
    ...changes,
    answers: { 200: empty },
    emits: ['release-plan-template-archived'],
  },
  'POST /api/admin/release-plan-templates/revive/:templateId': {
    summary: 'Revive an archived release template, so that it can be applied again',
    ...changes,
    answers: { 200: empty },
    emits: ['release-plan-template-revived'],
  },
  'POST /api/admin/release-plan-templates/:templateId/milestones': {
    summary: 'Add a milestone to a release template',
    ...changes,
    body: milestoneBody,
    answers: { 200: json(milestoneSchema) },
    emits: ['release-plan-template-updated'],
  },
  'PUT /api/admin/release-plan-templates/:templateId/milestones/:milestoneId': {
    summary: 'Update a milestone of a release template; its strategies are replaced when they are given',
    ...changes,
    body: milestoneBody.extend({ strategies: milestoneBody.shape.strategies.unwrap().optional() }),
    answers: { 200: json(milestoneSchema) },
    emits: ['release-plan-template-updated'],
  },
  'DELETE /api/admin/release-plan-templates/:templateId/milestones/:milestoneId': {
    summary: 'Delete a milestone of a release template',
    ...changes,
    answers: { 200: empty },
    emits: ['release-plan-template-updated'],
  },
  'POST /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies': {
    summary: 'Add a strategy to a milestone of a release template',
    ...changes,
    body: milestoneStrategyBody,
    answers: { 200: json(milestoneSchema) },
    emits: ['release-plan-template-updated'],
  },
  'PUT /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies/:strategyId': {
    summary: 'Replace a strategy of a milestone of a release template',
    ...changes,
    body: milestoneStrategyBody,
    answers: { 200: json(milestoneStrategySchema) },
    emits: ['release-plan-template-updated'],
  },
  'DELETE /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies/:strategyId': {
    summary: 'Delete a strategy of a milestone of a release template',
    ...changes,
    answers: { 200: empty },
    emits: ['release-plan-template-updated'],
  },
});
