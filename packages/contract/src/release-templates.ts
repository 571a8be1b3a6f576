import { z } from 'zod';
import {
  milestoneBody,
  milestoneSchema,
  milestoneStrategyBody,
  milestoneStrategySchema,
  milestonesBody,
} from './release-milestones.ts';
import { defineRoutes, empty, json } from './route.ts';
import { dateTime } from './scalars.ts';
import { filledText, nameParam, plainText } from './text.ts';

/** A template of release plans. */
export const releaseTemplateSchema = z.object({
  id: z.string(),
  discriminator: z.literal('template'),
  name: z.string(),
  description: z.string().nullable(),
  createdByUserId: z.number().int(),
  createdAt: dateTime,
  milestones: z.array(milestoneSchema),
  archivedAt: dateTime.nullable(),
});

export const releaseNames = {
  name: filledText(255),
  description: plainText(4000).nullable().optional(),
};

const byTemplate = z.object({ templateId: nameParam });
const byMilestone = byTemplate.extend({ milestoneId: nameParam });
const byStrategy = byMilestone.extend({ strategyId: nameParam });
const tag = 'Release templates';
const changes = { permission: 'RELEASE_PLAN_TEMPLATE_UPDATE' } as const;

/** Templates of release plans. Plans are copies: changes of a template do not reach them. */
export const releaseTemplateRoutes = defineRoutes({
  'GET /api/admin/release-plan-templates': {
    tag,
    summary: 'List the release templates that are not archived, by name',
    description: 'With `archived=true`, those that are archived.',
    access: 'signed-in',
    query: z.object({ archived: z.enum(['true', 'false']).optional() }),
    answers: { 200: json(z.array(releaseTemplateSchema)) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/release-plan-templates': {
    tag,
    summary: 'Create a release template',
    access: { permission: 'RELEASE_PLAN_TEMPLATE_CREATE' },
    body: z.object({ ...releaseNames, milestones: milestonesBody.default([]) }),
    answers: { 200: json(releaseTemplateSchema) },
    errors: [409],
    emits: ['release-plan-template-created'],
  },
  'GET /api/admin/release-plan-templates/:templateId': {
    tag,
    summary: 'Get a release template',
    access: 'signed-in',
    params: byTemplate,
    answers: { 200: json(releaseTemplateSchema) },
    errors: [404],
    emits: [],
  },
  'PUT /api/admin/release-plan-templates/:templateId': {
    tag,
    summary: 'Update a release template; its milestones are replaced when they are given',
    access: changes,
    params: byTemplate,
    body: z.object({ ...releaseNames, milestones: milestonesBody.optional() }),
    answers: { 200: json(releaseTemplateSchema) },
    errors: [404, 409],
    emits: ['release-plan-template-updated'],
  },
  'DELETE /api/admin/release-plan-templates/:templateId': {
    tag,
    summary: 'Delete a release template; plans made from it stay',
    access: { permission: 'RELEASE_PLAN_TEMPLATE_DELETE' },
    params: byTemplate,
    answers: { 200: empty },
    errors: [404],
    emits: ['release-plan-template-deleted'],
  },
  'POST /api/admin/release-plan-templates/archive/:templateId': {
    tag,
    summary: 'Archive a release template: it stays readable and cannot be applied',
    access: changes,
    params: byTemplate,
    answers: { 200: empty },
    errors: [404],
    emits: ['release-plan-template-archived'],
  },
  'POST /api/admin/release-plan-templates/revive/:templateId': {
    tag,
    summary: 'Revive an archived release template, so that it can be applied again',
    access: changes,
    params: byTemplate,
    answers: { 200: empty },
    errors: [404],
    emits: ['release-plan-template-revived'],
  },
  'POST /api/admin/release-plan-templates/:templateId/milestones': {
    tag,
    summary: 'Add a milestone to a release template',
    access: changes,
    params: byTemplate,
    body: milestoneBody,
    answers: { 200: json(milestoneSchema) },
    errors: [404],
    emits: ['release-plan-template-updated'],
  },
  'PUT /api/admin/release-plan-templates/:templateId/milestones/:milestoneId': {
    tag,
    summary: 'Update a milestone of a release template; its strategies are replaced when they are given',
    access: changes,
    params: byMilestone,
    body: milestoneBody.extend({ strategies: milestoneBody.shape.strategies.unwrap().optional() }),
    answers: { 200: json(milestoneSchema) },
    errors: [404],
    emits: ['release-plan-template-updated'],
  },
  'DELETE /api/admin/release-plan-templates/:templateId/milestones/:milestoneId': {
    tag,
    summary: 'Delete a milestone of a release template',
    access: changes,
    params: byMilestone,
    answers: { 200: empty },
    errors: [404],
    emits: ['release-plan-template-updated'],
  },
  'POST /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies': {
    tag,
    summary: 'Add a strategy to a milestone of a release template',
    access: changes,
    params: byMilestone,
    body: milestoneStrategyBody,
    answers: { 200: json(milestoneSchema) },
    errors: [404],
    emits: ['release-plan-template-updated'],
  },
  'PUT /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies/:strategyId': {
    tag,
    summary: 'Replace a strategy of a milestone of a release template',
    access: changes,
    params: byStrategy,
    body: milestoneStrategyBody,
    answers: { 200: json(milestoneStrategySchema) },
    errors: [404],
    emits: ['release-plan-template-updated'],
  },
  'DELETE /api/admin/release-plan-templates/:templateId/milestones/:milestoneId/strategies/:strategyId': {
    tag,
    summary: 'Delete a strategy of a milestone of a release template',
    access: changes,
    params: byStrategy,
    answers: { 200: empty },
    errors: [404],
    emits: ['release-plan-template-updated'],
  },
});
