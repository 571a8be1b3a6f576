import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { filledText, plainText } from './text.ts';

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
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'must have unique names');
const title = plainText(255).nullable().optional();
const description = plainText(4000).optional();

export const customStrategyBody = z.object({
  name: filledText(100),
  title,
  description,
  deprecated: z.boolean().optional(),
  parameters,
});
const mark = {
  access: { permission: 'UPDATE_STRATEGY' },
  answers: { 200: empty },
} as const;

/**
 * Strategy types: built-in types, and custom types that applications implement in their SDKs
 * (docs/spec#strategy-types).
 */
export const strategyTypeRoutes = defineRoutes('Strategies', {
  'GET /api/admin/strategies': {
    summary: 'List strategy types',
    access: 'signed-in',
    answers: ok({ version: z.literal(1), strategies: z.array(strategyTypeSchema) }),
  },
  'POST /api/admin/strategies': {
    summary: 'Create a custom strategy type, which applications must implement in their SDKs',
    access: { permission: 'CREATE_STRATEGY' },
    body: customStrategyBody,
    answers: { 201: json(strategyTypeSchema) },
    errors: [409],
    emits: ['strategy-created'],
  },
  'GET /api/admin/strategies/:name': {
    summary: 'Get a strategy type',
    access: 'signed-in',
    answers: { 200: json(strategyTypeSchema) },
  },
  'PUT /api/admin/strategies/:name': {
    summary: 'Update a custom strategy type; an omitted title or description is kept',
    access: { permission: 'UPDATE_STRATEGY' },
    body: z.object({ title, description, parameters }),
    answers: { 200: empty },
    emits: ['strategy-updated'],
  },
  'DELETE /api/admin/strategies/:name': {
    summary: 'Delete a custom strategy type',
    description: 'Refused while a flag, archived or not, uses it.',
    access: { permission: 'DELETE_STRATEGY' },
    answers: { 200: empty },
    emits: ['strategy-deleted'],
  },
  'POST /api/admin/strategies/:strategyName/deprecate': {
    ...mark,
    summary: 'Mark a strategy type as deprecated; flags can still use it',
    emits: ['strategy-deprecated'],
  },
  'POST /api/admin/strategies/:strategyName/reactivate': {
    ...mark,
    summary: 'Mark a strategy type as not deprecated',
    emits: ['strategy-reactivated'],
  },
});
