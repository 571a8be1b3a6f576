import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readRequestSearch } from '../features/change-requests/request-search.ts';
import { readPlaygroundSearch } from '../features/playground/playground-search.ts';
import { root } from './root-route.ts';

/** The routes of the Now page, change requests and the playground. */
export const reviewRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/personal',
    component: lazyRouteComponent(() => import('../features/now/now-page.tsx'), 'NowPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/change-requests',
    validateSearch: readRequestSearch,
    component: lazyRouteComponent(
      () => import('../features/change-requests/change-requests-page.tsx'),
      'ChangeRequestsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/projects/$projectId/change-requests',
    validateSearch: readRequestSearch,
    component: lazyRouteComponent(
      () => import('../features/change-requests/project-requests-page.tsx'),
      'ProjectRequestsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/projects/$projectId/change-requests/$id',
    component: lazyRouteComponent(() => import('../features/change-requests/request-page.tsx'), 'RequestPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/playground',
    validateSearch: readPlaygroundSearch,
    component: lazyRouteComponent(() => import('../features/playground/playground-page.tsx'), 'PlaygroundPage'),
  }),
] as const;
