import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readConnectSearch } from '../features/connect/connect-search.ts';
import { readFirstAlertSearch } from '../features/first-alert/first-alert-search.ts';
import { root } from './root-route.ts';

/** The routes of the pages that lead through a first connection and a first alert. */
export const firstStepsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/projects/$projectId/features/$featureName/connect',
    validateSearch: readConnectSearch,
    component: lazyRouteComponent(() => import('../features/connect/connect-page.tsx'), 'ConnectPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/first-alert',
    validateSearch: readFirstAlertSearch,
    component: lazyRouteComponent(() => import('../features/first-alert/first-alert-page.tsx'), 'FirstAlertPage'),
  }),
] as const;
