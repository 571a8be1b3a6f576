import { z } from 'zod';
import { constraintBody } from './constraints.ts';
import { defineRoutes, empty, json } from './route.ts';
import { strategyFields, strategyInput, strategyValues } from './strategy-fields.ts';
import { nameParam, sortOrder } from './text.ts';

export const createFeatureStrategySchema = strategyInput.extend({ name: strategyFields.name.input });
/** The schema of a strategy after a JSON Patch. Unknown fields are refused, not dropped. */
export const patchedStrategySchema = createFeatureStrategySchema.strict();

/** The new positions of strategies. */
export const strategyPlaces = z.array(z.object({ id: z.string(), sortOrder })).max(1000);

export const featureStrategySchema = z.object({ id: z.string(), featureName: z.string(), ...strategyValues.shape });

/**
 * The default strategy: a flag gets it, after its existing strategies, when it is switched on without an active one.
 */
export const defaultStrategySchema = featureStrategySchema.omit({ id: true, featureName: true, sortOrder: true });
export const defaultStrategyBody = createFeatureStrategySchema.omit({ sortOrder: true }).extend({
  disabled: z.literal(false, 'must be false: a flag that is on needs an active strategy').nullable().optional(),
});
export type DefaultStrategyAnswer = z.input<typeof defaultStrategySchema>;
export type DefaultStrategyBody = z.output<typeof defaultStrategyBody>;

/** A JSON Patch (RFC 6902). The number of operations is limited, because copies can grow the document exponentially. */
export const jsonPatchSchema = z
  .array(
    z.object({
      op: z.enum(['add', 'remove', 'replace', 'copy', 'move', 'test']),
      path: z.string().max(1000),
      from: z.string().max(1000).optional(),
      value: z.unknown().optional(),
    }),
  )
  .max(500);

export const inFlagEnvironment = z.object({ projectId: nameParam, featureName: nameParam, environment: nameParam });

export const strategyRoutes = defineRoutes('Strategies', {
  'POST /api/admin/constraints/validate': {
    summary: 'Validate a constraint',
    access: 'signed-in',
    body: constraintBody,
    answers: { 204: empty },
    emits: [],
  },
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies': {
    summary: 'List the strategies of a flag in an environment in order',
    access: 'signed-in',
    answers: { 200: json(z.array(featureStrategySchema)) },
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies': {
    summary: 'Add a strategy to a flag in an environment',
    access: { permission: 'CREATE_FEATURE_STRATEGY' },
    body: createFeatureStrategySchema,
    answers: { 200: json(featureStrategySchema) },
    emits: ['feature-strategy-add'],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/set-sort-order': {
    summary: 'Set the order of a flag’s strategies',
    description:
      'Strategies with the same sort order are in the order of their creation. A request that keeps the order changes nothing, also not the sort orders.',
    access: { permission: 'UPDATE_FEATURE_STRATEGY' },
    body: strategyPlaces,
    answers: { 200: empty },
    emits: ['strategy-order-changed'],
  },
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId': {
    summary: 'Get a strategy',
    access: 'signed-in',
    answers: { 200: json(featureStrategySchema) },
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId': {
    summary: 'Update a strategy; omitted fields keep their values',
    description: 'Disabling the last active strategy of a flag also disables the flag in the environment.',
    access: { permission: 'UPDATE_FEATURE_STRATEGY' },
    body: strategyInput,
    answers: { 200: json(featureStrategySchema) },
    emits: ['feature-strategy-update', 'feature-environment-disabled'],
  },
  'PATCH /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId': {
    summary: 'Patch a strategy with a JSON Patch',
    description: 'Disabling the last active strategy of a flag also disables the flag in the environment.',
    access: { permission: 'UPDATE_FEATURE_STRATEGY' },
    body: jsonPatchSchema,
    answers: { 200: json(featureStrategySchema) },
    emits: ['feature-strategy-update', 'feature-environment-disabled'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId': {
    summary: 'Delete a strategy',
    description:
      'Deleting the last active strategy of a flag also disables the flag in the environment, because SDKs evaluate a flag without strategies as on for everyone.',
    access: { permission: 'DELETE_FEATURE_STRATEGY' },
    answers: { 200: empty },
    emits: ['feature-strategy-remove', 'feature-environment-disabled'],
  },
});
