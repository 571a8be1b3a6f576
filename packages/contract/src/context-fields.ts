import { z } from 'zod';
import { usingStrategySchema } from './constraints.ts';
import { defineRoutes, empty, json, stream } from './route.ts';
import { dateTime } from './scalars.ts';
import { filledText, nameParam, plainText, sortOrder, urlFriendly } from './text.ts';

const legalValue = z.object({ value: filledText(100), description: plainText(1000).optional() });

const contextFieldSchema = z.object({
  name: z.string(),
  description: z.string().optional().meta({ description: 'Absent when there is none' }),
  stickiness: z.boolean(),
  sortOrder: z.number().int(),
  legalValues: z.array(z.object({ value: z.string(), description: z.string().optional() })),
  project: z.string().optional().meta({ description: 'Absent for one of all projects' }),
  createdAt: dateTime.nullable().meta({ description: 'Null for those that are there from the start' }),
  usedInFeatures: z.number().int().meta({ description: 'Flags with a constraint on it, archived ones too' }),
  usedInProjects: z.number().int().meta({ description: 'Projects of those flags' }),
});
const contextFields = json(z.array(contextFieldSchema));

const updateBody = z.object({
  description: plainText(4000).nullable().optional(),
  stickiness: z.boolean().optional(),
  sortOrder: sortOrder.optional(),
  legalValues: z
    .array(legalValue)
    .max(10_000)
    .refine((values) => new Set(values.map(({ value }) => value)).size === values.length, 'must name each value once')
    .optional(),
  project: nameParam.nullable().optional().meta({ description: 'Decided when it is created' }),
});
const createBody = updateBody.extend({ name: urlFriendly });
const nameBody = z.object({ name: urlFriendly });

const include = z.enum(['project', 'context', 'root']).optional().meta({
  description:
    '`root`: only those of all projects, which is also what the list of all projects holds by itself. Anything else: those of projects and those of all projects together',
});

const tag = 'Context fields';
const byName = z.object({ contextField: nameParam });
const usingStrategies = stream(z.object({ strategies: z.array(usingStrategySchema) }));

/** What constraints ask about: names, and what values they may have (docs/spec#context-fields). */
export const contextFieldRoutes = defineRoutes({
  'GET /api/admin/context': {
    tag,
    summary: 'List the context fields of all projects, in their order',
    access: 'signed-in',
    query: z.object({ include }),
    answers: { 200: contextFields },
    errors: [],
    emits: [],
  },
  'POST /api/admin/context': {
    tag,
    summary: 'Create a context field',
    access: { permission: 'CREATE_CONTEXT_FIELD' },
    body: createBody,
    answers: { 201: json(contextFieldSchema) },
    errors: [409],
    emits: ['context-field-created'],
  },
  'POST /api/admin/context/validate': {
    tag,
    summary: 'Whether a name is free for a context field',
    access: { permission: 'UPDATE_CONTEXT_FIELD' },
    body: nameBody,
    answers: { 200: empty },
    errors: [409],
    emits: [],
  },
  'GET /api/admin/context/:contextField': {
    tag,
    summary: 'Get a context field',
    access: 'signed-in',
    params: byName,
    answers: { 200: json(contextFieldSchema) },
    errors: [404],
    emits: [],
  },
  'PUT /api/admin/context/:contextField': {
    tag,
    summary: 'Change a context field; what is not named stays',
    access: { permission: 'UPDATE_CONTEXT_FIELD' },
    params: byName,
    body: updateBody,
    answers: { 200: empty },
    errors: [404],
    emits: ['context-field-updated'],
  },
  'DELETE /api/admin/context/:contextField': {
    tag,
    summary: 'Delete a context field that no constraint asks about',
    access: { permission: 'DELETE_CONTEXT_FIELD' },
    params: byName,
    answers: { 200: empty },
    errors: [404, 409],
    emits: ['context-field-deleted'],
  },
  'POST /api/admin/context/:contextField/legal-values': {
    tag,
    summary: 'Add a legal value, or describe it anew',
    access: { permission: 'UPDATE_CONTEXT_FIELD' },
    params: byName,
    body: legalValue,
    answers: { 200: empty },
    errors: [404],
    emits: ['context-field-updated'],
  },
  'DELETE /api/admin/context/:contextField/legal-values/:legalValue': {
    tag,
    summary: 'Remove a legal value',
    description: 'Constraints that name it stay as they are.',
    access: { permission: 'UPDATE_CONTEXT_FIELD' },
    params: byName.extend({ legalValue: nameParam }),
    answers: { 200: empty },
    errors: [404],
    emits: ['context-field-updated'],
  },
  'GET /api/admin/context/:contextField/strategies': {
    tag,
    summary: 'List the strategies with a constraint on a context field',
    access: 'signed-in',
    params: byName,
    answers: { 200: usingStrategies },
    errors: [404],
    emits: [],
  },
});

const inProject = z.object({ projectId: nameParam });
const byNameInProject = inProject.extend({ contextField: nameParam });
const change = { permission: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'] } as const;

/** The same for those that belong to a project. */
export const projectContextFieldRoutes = defineRoutes({
  'GET /api/admin/projects/:projectId/context': {
    tag,
    summary: 'List the context fields of a project, in their order',
    access: 'signed-in',
    params: inProject,
    query: z.object({ include }),
    answers: { 200: contextFields },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/context': {
    tag,
    summary: 'Create a context field of a project',
    access: { permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'] },
    params: inProject,
    body: createBody,
    answers: { 201: json(contextFieldSchema) },
    errors: [404, 409],
    emits: ['context-field-created'],
  },
  'POST /api/admin/projects/:projectId/context/validate': {
    tag,
    summary: 'Whether a name is free for a context field, in whatever project',
    access: change,
    params: inProject,
    body: nameBody,
    answers: { 200: empty },
    errors: [404, 409],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/context/:contextField': {
    tag,
    summary: 'Get a context field of a project',
    access: 'signed-in',
    params: byNameInProject,
    answers: { 200: json(contextFieldSchema) },
    errors: [404],
    emits: [],
  },
  'PUT /api/admin/projects/:projectId/context/:contextField': {
    tag,
    summary: 'Change a context field of a project; what is not named stays',
    access: change,
    params: byNameInProject,
    body: updateBody,
    answers: { 200: empty },
    errors: [404],
    emits: ['context-field-updated'],
  },
  'DELETE /api/admin/projects/:projectId/context/:contextField': {
    tag,
    summary: 'Delete a context field of a project that no constraint asks about',
    access: { permission: ['DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'] },
    params: byNameInProject,
    answers: { 200: empty },
    errors: [404, 409],
    emits: ['context-field-deleted'],
  },
  'POST /api/admin/projects/:projectId/context/:contextField/legal-values': {
    tag,
    summary: 'Add a legal value to a context field of a project, or describe it anew',
    access: change,
    params: byNameInProject,
    body: legalValue,
    answers: { 200: empty },
    errors: [404],
    emits: ['context-field-updated'],
  },
  'DELETE /api/admin/projects/:projectId/context/:contextField/legal-values/:legalValue': {
    tag,
    summary: 'Remove a legal value from a context field of a project',
    description: 'Constraints that name it stay as they are.',
    access: change,
    params: byNameInProject.extend({ legalValue: nameParam }),
    answers: { 200: empty },
    errors: [404],
    emits: ['context-field-updated'],
  },
  'GET /api/admin/projects/:projectId/context/:contextField/strategies': {
    tag,
    summary: 'List the strategies with a constraint on a context field of a project',
    access: 'signed-in',
    params: byNameInProject,
    answers: { 200: usingStrategies },
    errors: [404],
    emits: [],
  },
});
