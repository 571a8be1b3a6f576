import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from './root-route.ts';

/** The routes of the actions of all projects, and of their runs. */
export const actionRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/projects/$projectId/actions/$setId/runs/$runId',
    component: lazyRouteComponent(() => import('../features/actions/runs/run-page.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/actions',
    component: lazyRouteComponent(() => import('../features/actions/actions-page.tsx'), 'ActionsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs/$runId',
    component: lazyRouteComponent(() => import('../features/actions/runs/run-page.tsx'), 'ShortRunPage'),
  }),
] as const;
