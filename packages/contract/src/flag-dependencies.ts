import { z } from 'zod';
import { batch } from './flags.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { filledText, nameParam } from './text.ts';

const changing = { access: { permission: 'UPDATE_FEATURE_DEPENDENCY' }, answers: { 200: empty } } as const;

export const dependencyBody = z.object({
  feature: nameParam,
  enabled: z.boolean().optional(),
  variants: z.array(filledText(255)).max(100).optional(),
});

/** A flag may depend on one other flag of its project (docs/spec#flag-dependencies). */
export const featureDependencyRoutes = defineRoutes('Dependencies', {
  'GET /api/admin/projects/:projectId/dependencies': {
    summary: 'Get whether any flag of a project has a dependency',
    access: 'signed-in',
    answers: { 200: json(z.boolean()) },
  },
  'POST /api/admin/projects/:projectId/features/:featureName/dependencies': {
    ...changing,
    summary: 'Set the dependency of a flag on another flag of its project, replacing the existing one',
    description:
      'Refused when dependencies would be more than one level deep. `variants` apply when the parent must be enabled; they are ignored otherwise.',
    body: dependencyBody,
    emits: ['feature-dependency-added', 'feature-dependency-removed'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/dependencies': {
    ...changing,
    summary: 'Remove all dependencies of a flag',
    emits: ['feature-dependencies-removed'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/dependencies/:parent': {
    ...changing,
    summary: 'Remove the dependency of a flag on a parent',
    emits: ['feature-dependency-removed'],
  },
  'GET /api/admin/projects/:projectId/features/:featureName/parents': {
    summary: 'List the names of the flags that a flag could depend on',
    access: 'signed-in',
    answers: { 200: json(z.array(z.string())) },
  },
  'GET /api/admin/projects/:projectId/features/:parent/parent-variants': {
    summary: 'List the names of the variants of a flag in any environment; empty for an unknown flag',
    access: 'signed-in',
    answers: { 200: json(z.array(z.string())) },
  },
  'POST /api/admin/projects/:projectId/archive/validate': {
    summary: 'Check whether flags of a project can be archived',
    description:
      'A flag with dependants can be archived only together with them. The dependencies of the archived flags are removed.',
    access: { permission: 'DELETE_FEATURE' },
    body: batch,
    answers: ok({ parentsWithChildFeatures: z.array(z.string()), hasDeletedDependencies: z.boolean() }),
    emits: [],
  },
});
