import { z } from 'zod';
import { usingStrategySchema } from './constraints.ts';
import { defineRoutes, empty, json, stream } from './route.ts';
import { dateTime } from './scalars.ts';
import { eachOnce, filledText, hasEachOnce, nameParam, plainText, sortOrder, urlFriendly } from './text.ts';

const legalValue = z.object({ value: filledText(100), description: plainText(1000).optional() });

const contextFieldSchema = z.object({
  name: z.string(),
  description: z.string().optional().meta({ description: 'Absent when not set' }),
  stickiness: z.boolean(),
  sortOrder: z.number().int(),
  legalValues: z.array(z.object({ value: z.string(), description: z.string().optional() })),
  project: z.string().optional().meta({ description: 'Absent for a global context field' }),
  createdAt: dateTime.nullable().meta({ description: 'Null for built-in context fields' }),
  usedInFeatures: z
    .number()
    .int()
    .meta({ description: 'Flags with a constraint on the field, including archived flags' }),
  usedInProjects: z.number().int().meta({ description: 'Projects of these flags' }),
});
const contextFields = json(z.array(contextFieldSchema));

const updateBody = z.object({
  description: plainText(4000).nullable().optional(),
  stickiness: z.boolean().optional(),
  sortOrder: sortOrder.optional(),
  legalValues: z
    .array(legalValue)
    .max(10_000)
    .refine((values) => hasEachOnce(values.map(({ value }) => value)), eachOnce)
    .optional(),
  project: nameParam.nullable().optional().meta({ description: 'Can be set only at creation' }),
});
const createBody = updateBody.extend({ name: urlFriendly });
const nameBody = z.object({ name: urlFriendly });

const include = z.enum(['project', 'context', 'root']).optional().meta({
  description:
    '`root`: only global context fields, the default of the global list. Any other value: project and global context fields',
});
const usingStrategies = stream(z.object({ strategies: z.array(usingStrategySchema) }));

/** Context fields: the names that constraints can use, and their legal values (docs/spec#context-fields). */
export const contextFieldRoutes = defineRoutes('Context fields', {
  'GET /api/admin/context': {
    summary: 'List the global context fields in order',
    access: 'signed-in',
    query: z.object({ include }),
    answers: { 200: contextFields },
  },
  'POST /api/admin/context': {
    summary: 'Create a context field',
    access: { permission: 'CREATE_CONTEXT_FIELD' },
    body: createBody,
    answers: { 201: json(contextFieldSchema) },
    errors: [409],
    emits: ['context-field-created'],
  },
  'POST /api/admin/context/validate': {
    summary: 'Check whether a name is available for a context field',
    access: { permission: 'UPDATE_CONTEXT_FIELD' },
    body: nameBody,
    answers: { 200: empty },
    errors: [409],
    emits: [],
  },
  'GET /api/admin/context/:contextField': {
    summary: 'Get a context field',
    access: 'signed-in',
    answers: { 200: json(contextFieldSchema) },
  },
  'PUT /api/admin/context/:contextField': {
    summary: 'Update a context field; omitted fields keep their values',
    access: { permission: 'UPDATE_CONTEXT_FIELD' },
    body: updateBody,
    answers: { 200: empty },
    emits: ['context-field-updated'],
  },
  'DELETE /api/admin/context/:contextField': {
    summary: 'Delete a context field that no constraint uses',
    access: { permission: 'DELETE_CONTEXT_FIELD' },
    answers: { 200: empty },
    errors: [409],
    emits: ['context-field-deleted'],
  },
  'POST /api/admin/context/:contextField/legal-values': {
    summary: 'Add a legal value, or update its description',
    access: { permission: 'UPDATE_CONTEXT_FIELD' },
    body: legalValue,
    answers: { 200: empty },
    emits: ['context-field-updated'],
  },
  'DELETE /api/admin/context/:contextField/legal-values/:legalValue': {
    summary: 'Remove a legal value',
    description: 'Constraints with this value are not changed.',
    access: { permission: 'UPDATE_CONTEXT_FIELD' },
    answers: { 200: empty },
    emits: ['context-field-updated'],
  },
  'GET /api/admin/context/:contextField/strategies': {
    summary: 'List the strategies with a constraint on a context field',
    access: 'signed-in',
    answers: { 200: usingStrategies },
  },
});
const change = { permission: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'] } as const;

/** Context fields that belong to a project. */
export const projectContextFieldRoutes = defineRoutes('Context fields', {
  'GET /api/admin/projects/:projectId/context': {
    summary: 'List the context fields of a project in order',
    access: 'signed-in',
    query: z.object({ include }),
    answers: { 200: contextFields },
  },
  'POST /api/admin/projects/:projectId/context': {
    summary: 'Create a context field of a project',
    access: { permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'] },
    body: createBody,
    answers: { 201: json(contextFieldSchema) },
    errors: [409],
    emits: ['context-field-created'],
  },
  'POST /api/admin/projects/:projectId/context/validate': {
    summary: 'Check whether a name is available for a context field in any project',
    access: change,
    body: nameBody,
    answers: { 200: empty },
    errors: [409],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/context/:contextField': {
    summary: 'Get a context field of a project',
    access: 'signed-in',
    answers: { 200: json(contextFieldSchema) },
  },
  'PUT /api/admin/projects/:projectId/context/:contextField': {
    summary: 'Update a context field of a project; omitted fields keep their values',
    access: change,
    body: updateBody,
    answers: { 200: empty },
    emits: ['context-field-updated'],
  },
  'DELETE /api/admin/projects/:projectId/context/:contextField': {
    summary: 'Delete a context field of a project that no constraint uses',
    access: { permission: ['DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'] },
    answers: { 200: empty },
    errors: [409],
    emits: ['context-field-deleted'],
  },
  'POST /api/admin/projects/:projectId/context/:contextField/legal-values': {
    summary: 'Add a legal value to a context field of a project, or update its description',
    access: change,
    body: legalValue,
    answers: { 200: empty },
    emits: ['context-field-updated'],
  },
  'DELETE /api/admin/projects/:projectId/context/:contextField/legal-values/:legalValue': {
    summary: 'Remove a legal value from a context field of a project',
    description: 'Constraints with this value are not changed.',
    access: change,
    answers: { 200: empty },
    emits: ['context-field-updated'],
  },
  'GET /api/admin/projects/:projectId/context/:contextField/strategies': {
    summary: 'List the strategies with a constraint on a context field of a project',
    access: 'signed-in',
    answers: { 200: usingStrategies },
  },
});
