import { z } from 'zod';
import { constraintBody, constraintSchema, usingStrategySchema } from './constraints.ts';
import type { Permission } from './permissions.ts';
import { type Check, defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, id } from './scalars.ts';
import { keyText, nameParam, plainText } from './text.ts';

const requestedStrategySchema = usingStrategySchema.partial({ id: true }).extend({
  changeRequest: z.object({ id, title: z.string() }),
});

const segmentSchema = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  project: z.string().nullable(),
  constraints: z.array(constraintSchema),
  createdBy: z.string().nullable(),
  createdAt: dateTime,
  usedInFeatures: z
    .number()
    .int()
    .meta({ description: 'Flags with a strategy that uses the segment, including archived flags' }),
  usedInProjects: z.number().int().meta({ description: 'Projects of these flags' }),
});
const segmentsSchema = z.object({ segments: z.array(segmentSchema) });

const name = keyText(255);
export const segmentBody = z.object({
  name,
  description: plainText(4000).nullable().optional(),
  project: nameParam
    .nullable()
    .optional()
    .meta({ description: 'The project whose flags may use the segment; null for all projects' }),
  constraints: z.array(constraintBody),
});
const strategySegmentsSchema = z.object({
  projectId: nameParam,
  strategyId: nameParam,
  environmentId: nameParam,
  segmentIds: z.array(id).max(1000),
});

/**
 * Returns the permission checks of segment routes (docs/spec#segments). UPDATE_PROJECT_SEGMENT is enough for a segment
 * of a project.
 */
function ofSegment(permission: Permission): readonly Check[] {
  return [
    { permission, where: 'for a global segment' },
    { permission: [permission, 'UPDATE_PROJECT_SEGMENT'], where: 'for a segment of a project' },
  ];
}

export const segmentRoutes = defineRoutes('Segments', {
  'GET /api/admin/segments': {
    summary: 'List segments by name',
    access: 'signed-in',
    answers: { 200: json(segmentsSchema) },
  },
  'POST /api/admin/segments': {
    summary: 'Create a segment',
    access: 'signed-in',
    checks: ofSegment('CREATE_SEGMENT'),
    body: segmentBody,
    answers: { 201: json(segmentSchema) },
    errors: [404, 409],
    emits: ['segment-created'],
  },
  'POST /api/admin/segments/validate': {
    summary: 'Check whether a name is available for a segment',
    access: 'signed-in',
    body: z.object({ name }),
    answers: { 204: empty },
    errors: [409],
    emits: [],
  },
  'GET /api/admin/segments/:id': {
    summary: 'Get a segment',
    access: 'signed-in',
    answers: { 200: json(segmentSchema) },
  },
  'PUT /api/admin/segments/:id': {
    summary: 'Update a segment for all strategies that use it; an omitted description or project is kept',
    description: 'Moving a segment to another project needs the permission in both.',
    access: 'signed-in',
    checks: ofSegment('UPDATE_SEGMENT'),
    body: segmentBody,
    answers: { 204: empty },
    errors: [409],
    emits: ['segment-updated'],
  },
  'DELETE /api/admin/segments/:id': {
    summary: 'Delete a segment that no strategy uses',
    access: 'signed-in',
    checks: ofSegment('DELETE_SEGMENT'),
    answers: { 204: empty },
    errors: [409],
    emits: ['segment-deleted'],
  },
  'GET /api/admin/segments/:id/strategies': {
    summary: 'List the strategies that use a segment, including those of archived flags',
    description:
      '`changeRequestStrategies` are the strategies that will use it when open change requests are applied, without drafts. A new strategy has no `id` yet.',
    access: 'signed-in',
    answers: ok({
      strategies: z.array(usingStrategySchema),
      changeRequestStrategies: z.array(requestedStrategySchema),
    }),
  },
  'GET /api/admin/segments/strategies/:strategyId': {
    summary: 'List the segments of a strategy',
    access: 'signed-in',
    answers: { 200: json(segmentsSchema) },
  },
});

/** Segments of strategies. */
export const strategySegmentRoutes = defineRoutes('Segments', {
  'POST /api/admin/segments/strategies': {
    summary: 'Replace the segments of a strategy',
    access: 'signed-in',
    checks: [{ permission: 'UPDATE_FEATURE_STRATEGY', where: 'in the environment of the strategy' }],
    body: strategySegmentsSchema,
    answers: { 201: json(strategySegmentsSchema) },
    errors: [404],
    emits: ['feature-strategy-update'],
  },
});
