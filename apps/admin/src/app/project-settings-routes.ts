import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readActionSearch } from '../entities/actions/action-search.ts';
import { readQuerySearch } from '../lib/query-search.ts';
import { root } from './root-route.ts';

const layout = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId/settings',
  component: lazyRouteComponent(() => import('../features/project-settings/settings-layout.tsx'), 'SettingsLayout'),
});

const children = [
  createRoute({
    getParentRoute: () => layout,
    path: '/',
    component: lazyRouteComponent(() => import('../features/project-settings/general-settings.tsx'), 'GeneralSettings'),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/access',
    component: lazyRouteComponent(() => import('../features/project-settings/access-settings.tsx'), 'AccessSettings'),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/api-access',
    validateSearch: readQuerySearch,
    component: lazyRouteComponent(
      () => import('../features/project-settings/api-access-settings.tsx'),
      'ApiAccessSettings',
    ),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/environments',
    component: lazyRouteComponent(
      () => import('../features/project-settings/environment-settings.tsx'),
      'EnvironmentSettings',
    ),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/change-requests',
    component: lazyRouteComponent(
      () => import('../features/project-settings/change-request-settings.tsx'),
      'ChangeRequestSettings',
    ),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/segments',
    component: lazyRouteComponent(
      () => import('../features/project-settings/segment-and-context-settings.tsx'),
      'SegmentSettings',
    ),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/context-fields',
    component: lazyRouteComponent(
      () => import('../features/project-settings/segment-and-context-settings.tsx'),
      'ContextFieldSettings',
    ),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/release-templates',
    component: lazyRouteComponent(
      () => import('../features/project-settings/release-template-settings.tsx'),
      'ReleaseTemplateSettings',
    ),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/actions',
    validateSearch: readActionSearch,
    component: lazyRouteComponent(() => import('../features/actions/actions-settings.tsx'), 'ActionsSettings'),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/links',
    component: lazyRouteComponent(() => import('../features/project-settings/link-settings.tsx'), 'LinkSettings'),
  }),
  createRoute({
    getParentRoute: () => layout,
    path: '/transfer',
    component: lazyRouteComponent(
      () => import('../features/project-settings/import-export-settings.tsx'),
      'TransferSettings',
    ),
  }),
] as const;

/** The routes of the project settings, one for each tab. */
export const projectSettingsRoute = layout.addChildren(children);
