import { z } from 'zod';
import { batch, featureEnvironmentSchema, featureSchema } from './flags.ts';
import { defineRoutes, empty, json } from './route.ts';

const toggle = {
  answers: { 200: json(featureSchema) },
  access: { permission: 'UPDATE_FEATURE_ENVIRONMENT' },
} as const;
const toggleMany = {
  access: { permission: 'UPDATE_FEATURE_ENVIRONMENT' },
  body: batch,
  answers: { 200: empty },
} as const;
const activate = z.object({ shouldActivateDisabledStrategies: z.enum(['true', 'false']).optional() });

export const featureEnvironmentRoutes = defineRoutes('Features', {
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment': {
    summary: 'Get the state of a flag in an environment',
    access: 'signed-in',
    answers: { 200: json(featureEnvironmentSchema) },
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on': {
    ...toggle,
    summary: 'Switch a flag on',
    description:
      'A flag without an active strategy gets the default strategy, which rolls it out to everyone unless configured otherwise.',
    query: activate,
    emits: ['feature-strategy-add', 'feature-strategy-update', 'feature-environment-enabled'],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off': {
    ...toggle,
    summary: 'Switch a flag off',
    emits: ['feature-environment-disabled'],
  },
  'POST /api/admin/projects/:projectId/bulk_features/environments/:environment/on': {
    ...toggleMany,
    summary: 'Switch flags on',
    query: activate,
    emits: ['feature-strategy-add', 'feature-strategy-update', 'feature-environment-enabled'],
  },
  'POST /api/admin/projects/:projectId/bulk_features/environments/:environment/off': {
    ...toggleMany,
    summary: 'Switch flags off',
    emits: ['feature-environment-disabled'],
  },
});
