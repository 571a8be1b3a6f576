import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from './root-route.ts';

/** The routes of action runs. */
export const actionRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/projects/$projectId/actions/$setId/runs/$runId',
    component: lazyRouteComponent(() => import('../features/actions/runs/run-page.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs/$runId',
    component: lazyRouteComponent(() => import('../features/actions/runs/run-page.tsx'), 'ShortRunPage'),
  }),
] as const;
