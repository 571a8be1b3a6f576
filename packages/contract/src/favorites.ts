import { inFlag, inProject } from './flags.ts';
import { defineRoutes, empty } from './route.ts';

const own = { tag: 'Favorites', access: 'signed-in', answers: { 200: empty }, errors: [404] } as const;

/** What a caller likes to find quickly; nobody else sees it. */
export const favoriteRoutes = defineRoutes({
  'POST /api/admin/projects/:projectId/features/:featureName/favorites': {
    ...own,
    summary: 'Make a flag one of my favorites',
    params: inFlag,
    emits: ['feature-favorited'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/favorites': {
    ...own,
    summary: 'Make a flag none of my favorites',
    params: inFlag,
    emits: ['feature-unfavorited'],
  },
  'POST /api/admin/projects/:projectId/favorites': {
    ...own,
    summary: 'Make a project one of my favorites',
    params: inProject,
    emits: ['project-favorited'],
  },
  'DELETE /api/admin/projects/:projectId/favorites': {
    ...own,
    summary: 'Make a project none of my favorites',
    params: inProject,
    emits: ['project-unfavorited'],
  },
});
