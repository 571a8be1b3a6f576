import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readReportSearch } from '../features/incidents/report-search.ts';
import { root } from './root-route.ts';

/** The routes of the actions of all projects, their runs and their incidents. */
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
    path: '/incidents',
    component: lazyRouteComponent(() => import('../features/incidents/incidents-page.tsx'), 'IncidentsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/incidents/report',
    validateSearch: readReportSearch,
    component: lazyRouteComponent(() => import('../features/incidents/report-page.tsx'), 'ReportPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/incidents/$incidentId',
    component: lazyRouteComponent(() => import('../features/incidents/incident-page.tsx'), 'IncidentPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs/$runId',
    component: lazyRouteComponent(() => import('../features/actions/runs/run-page.tsx'), 'ShortRunPage'),
  }),
] as const;
