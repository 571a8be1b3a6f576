import { z } from 'zod';
import { constraintBody, constraintSchema, usingStrategySchema } from './constraints.ts';
import type { Permission } from './permissions.ts';
import { type Check, defineRoutes, empty, json } from './route.ts';
import { dateTime, id, idParam } from './scalars.ts';
import { filledText, nameParam, plainText } from './text.ts';

const segmentSchema = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  project: z.string().nullable(),
  constraints: z.array(constraintSchema),
  createdBy: z.string().nullable(),
  createdAt: dateTime,
  usedInFeatures: z.number().int().meta({ description: 'Flags with a strategy that uses it, archived ones too' }),
  usedInProjects: z.number().int().meta({ description: 'Projects of those flags' }),
});
const segmentsSchema = z.object({ segments: z.array(segmentSchema) });

const name = filledText(255);
export const segmentBody = z.object({
  name,
  description: plainText(4000).nullable().optional(),
  project: nameParam
    .nullable()
    .optional()
    .meta({ description: 'Project whose flags alone may use it; null for those of all' }),
  constraints: z.array(constraintBody),
});
const strategySegmentsSchema = z.object({
  projectId: nameParam,
  strategyId: nameParam,
  environmentId: nameParam,
  segmentIds: z.array(id).max(1000),
});

const byId = z.object({ id: idParam });
const tag = 'Segments';

/** Lists of constraints that strategies share (docs/spec#segments). */
/** A segment of a project may also be changed by who may change those of the project. */
function ofSegment(permission: Permission): readonly Check[] {
  return [
    { permission, where: 'where the segment is of all projects' },
    { permission: [permission, 'UPDATE_PROJECT_SEGMENT'], where: 'where the segment is of a project' },
  ];
}

export const segmentRoutes = defineRoutes({
  'GET /api/admin/segments': {
    tag,
    summary: 'List segments by name',
    access: 'signed-in',
    answers: { 200: json(segmentsSchema) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/segments': {
    tag,
    summary: 'Create a segment',
    access: 'signed-in',
    checks: ofSegment('CREATE_SEGMENT'),
    body: segmentBody,
    answers: { 201: json(segmentSchema) },
    errors: [403, 404, 409],
    emits: ['segment-created'],
  },
  'POST /api/admin/segments/validate': {
    tag,
    summary: 'Whether a name is free for a segment',
    access: 'signed-in',
    body: z.object({ name }),
    answers: { 204: empty },
    errors: [409],
    emits: [],
  },
  'GET /api/admin/segments/:id': {
    tag,
    summary: 'Get a segment',
    access: 'signed-in',
    params: byId,
    answers: { 200: json(segmentSchema) },
    errors: [404],
    emits: [],
  },
  'PUT /api/admin/segments/:id': {
    tag,
    summary: 'Change a segment for every strategy that uses it; a description or project that is not named stays',
    description: 'Where it gets another project the permission is asked for in both.',
    access: 'signed-in',
    checks: ofSegment('UPDATE_SEGMENT'),
    params: byId,
    body: segmentBody,
    answers: { 204: empty },
    errors: [403, 404, 409],
    emits: ['segment-updated'],
  },
  'DELETE /api/admin/segments/:id': {
    tag,
    summary: 'Delete a segment that no strategy uses',
    access: 'signed-in',
    checks: ofSegment('DELETE_SEGMENT'),
    params: byId,
    answers: { 204: empty },
    errors: [403, 404, 409],
    emits: ['segment-deleted'],
  },
  'GET /api/admin/segments/:id/strategies': {
    tag,
    summary: 'List the strategies that use a segment, those of archived flags too',
    access: 'signed-in',
    params: byId,
    answers: { 200: json(z.object({ strategies: z.array(usingStrategySchema) })) },
    errors: [404],
    emits: [],
  },
  'GET /api/admin/segments/strategies/:strategyId': {
    tag,
    summary: 'List the segments of a strategy',
    access: 'signed-in',
    params: z.object({ strategyId: nameParam }),
    answers: { 200: json(segmentsSchema) },
    errors: [404],
    emits: [],
  },
});

/** What concerns a strategy more than its segments. */
export const strategySegmentRoutes = defineRoutes({
  'POST /api/admin/segments/strategies': {
    tag,
    summary: 'Give a strategy these segments and no others',
    access: 'signed-in',
    checks: [{ permission: 'UPDATE_FEATURE_STRATEGY', where: 'in the environment of the strategy' }],
    body: strategySegmentsSchema,
    answers: { 201: json(strategySegmentsSchema) },
    errors: [403, 404],
    emits: ['feature-strategy-update'],
  },
});
