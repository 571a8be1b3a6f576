import { z } from 'zod';
import { defineRoutes, empty, json } from './route.ts';
import { filledText, nameParam, plainText } from './text.ts';

const parameterTypes = ['string', 'percentage', 'list', 'number', 'boolean'] as const;

export const strategyTypeSchema = z.object({
  title: z.string().nullable(),
  name: z.string(),
  displayName: z.string().nullable(),
  description: z.string(),
  editable: z.boolean(),
  deprecated: z.boolean(),
  parameters: z.array(
    z.object({ name: z.string(), type: z.enum(parameterTypes), description: z.string(), required: z.boolean() }),
  ),
});

const parameters = z
  .array(
    z.object({
      name: filledText(255),
      type: z.enum(parameterTypes),
      description: plainText(4000).default(''),
      required: z.boolean().default(false),
    }),
  )
  .max(100)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'must have names of their own');
const description = plainText(4000).optional();

export const customStrategyBody = z.object({
  name: filledText(100),
  title: plainText(255).nullable().optional(),
  description,
  deprecated: z.boolean().optional(),
  parameters,
});
const mark = {
  tag: 'Strategies',
  access: { permission: 'UPDATE_STRATEGY' },
  params: z.object({ strategyName: nameParam }),
  answers: { 200: empty },
  errors: [404],
} as const;
const tag = 'Strategies';
const byName = z.object({ name: nameParam });

/**
 * The strategies that flags can use: those that every SDK knows, and custom ones that SDKs are taught
 * (docs/spec#strategy-types).
 */
export const strategyTypeRoutes = defineRoutes({
  'GET /api/admin/strategies': {
    tag,
    summary: 'List the strategies that flags can use',
    access: 'signed-in',
    answers: { 200: json(z.object({ version: z.literal(1), strategies: z.array(strategyTypeSchema) })) },
    errors: [],
    emits: [],
  },
  'POST /api/admin/strategies': {
    tag,
    summary: 'Create a strategy, which SDKs have to be taught',
    access: { permission: 'CREATE_STRATEGY' },
    body: customStrategyBody,
    answers: { 201: json(strategyTypeSchema) },
    errors: [409],
    emits: ['strategy-created'],
  },
  'GET /api/admin/strategies/:name': {
    tag,
    summary: 'Get a strategy that flags can use',
    access: 'signed-in',
    params: byName,
    answers: { 200: json(strategyTypeSchema) },
    errors: [404],
    emits: [],
  },
  'PUT /api/admin/strategies/:name': {
    tag,
    summary: 'Change a strategy that was created here',
    access: { permission: 'UPDATE_STRATEGY' },
    params: byName,
    body: z.object({ description, parameters }),
    answers: { 200: empty },
    errors: [404],
    emits: ['strategy-updated'],
  },
  'DELETE /api/admin/strategies/:name': {
    tag,
    summary: 'Delete a strategy that was created here',
    description: 'Refused while a flag uses it, an archived one included.',
    access: { permission: 'DELETE_STRATEGY' },
    params: byName,
    answers: { 200: empty },
    errors: [404],
    emits: ['strategy-deleted'],
  },
  'POST /api/admin/strategies/:strategyName/deprecate': {
    ...mark,
    summary: 'Advise against a strategy; flags can use it all the same',
    emits: ['strategy-deprecated'],
  },
  'POST /api/admin/strategies/:strategyName/reactivate': {
    ...mark,
    summary: 'Advise no longer against a strategy',
    emits: ['strategy-reactivated'],
  },
});
