import { z } from 'zod';
import { batch, inFlag, inProject } from './flags.ts';
import { defineRoutes, empty, json } from './route.ts';
import { filledText, nameParam } from './text.ts';

const tag = 'Dependencies';
const changing = { tag, access: { permission: 'UPDATE_FEATURE_DEPENDENCY' }, answers: { 200: empty } } as const;

export const dependencyBody = z.object({
  feature: nameParam,
  enabled: z.boolean().optional(),
  variants: z.array(filledText(255)).max(100).optional(),
});

/** A flag may depend on one other flag of its project (docs/spec#flag-dependencies). */
export const featureDependencyRoutes = defineRoutes({
  'GET /api/admin/projects/:projectId/dependencies': {
    tag,
    summary: 'Whether any flag of a project depends on another one',
    access: 'signed-in',
    params: inProject,
    answers: { 200: json(z.boolean()) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/dependencies': {
    ...changing,
    summary: 'Make a flag depend on another one of its project, in the place of the one it depends on',
    description:
      'Refused when it would be more than one level deep. `variants` narrow a parent that must be on; of one that must be off they are left out.',
    params: inFlag,
    body: dependencyBody,
    errors: [404],
    emits: ['feature-dependency-added', 'feature-dependency-removed'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/dependencies': {
    ...changing,
    summary: 'Make a flag depend on nothing',
    params: inFlag,
    errors: [404],
    emits: ['feature-dependencies-removed'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/dependencies/:parent': {
    ...changing,
    summary: 'Make a flag no longer depend on that one',
    params: inFlag.extend({ parent: nameParam }),
    errors: [404],
    emits: ['feature-dependency-removed'],
  },
  'GET /api/admin/projects/:projectId/features/:featureName/parents': {
    tag,
    summary: 'Names of the flags that a flag could depend on',
    access: 'signed-in',
    params: inFlag,
    answers: { 200: json(z.array(z.string())) },
    errors: [404],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/features/:parent/parent-variants': {
    tag,
    summary: 'Names of the variants that a flag has in any environment; none of a flag that does not exist',
    access: 'signed-in',
    params: inProject.extend({ parent: nameParam }),
    answers: { 200: json(z.array(z.string())) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/archive/validate': {
    tag,
    summary: 'What archiving flags of a project would meet',
    description:
      'Flags that others depend on cannot be archived without those; what the flags themselves depend on is forgotten.',
    access: { permission: 'DELETE_FEATURE' },
    params: inProject,
    body: batch,
    answers: {
      200: json(z.object({ parentsWithChildFeatures: z.array(z.string()), hasDeletedDependencies: z.boolean() })),
    },
    errors: [404],
    emits: [],
  },
});
