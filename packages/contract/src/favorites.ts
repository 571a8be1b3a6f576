import { defineRoutes, empty } from './route.ts';

const own = { access: 'signed-in', answers: { 200: empty } } as const;

/** The favorites of the caller; other users do not see them. */
export const favoriteRoutes = defineRoutes('Favorites', {
  'POST /api/admin/projects/:projectId/features/:featureName/favorites': {
    ...own,
    summary: 'Add a flag to my favorites',
    emits: ['feature-favorited'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/favorites': {
    ...own,
    summary: 'Remove a flag from my favorites',
    emits: ['feature-unfavorited'],
  },
  'POST /api/admin/projects/:projectId/favorites': {
    ...own,
    summary: 'Add a project to my favorites',
    emits: ['project-favorited'],
  },
  'DELETE /api/admin/projects/:projectId/favorites': {
    ...own,
    summary: 'Remove a project from my favorites',
    emits: ['project-unfavorited'],
  },
});
