import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readApplicationSearch } from '../features/applications/application-search.ts';
import { readCreateTemplateSearch, readTemplateSearch } from '../features/release-templates/template-search.ts';
import { readQuerySearch } from '../lib/query-search.ts';
import { root } from './root-route.ts';

/** The routes of the pages in the Configure menu. */
export const configureRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/environments',
    component: lazyRouteComponent(() => import('../features/environments/environments-page.tsx'), 'EnvironmentsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/context',
    validateSearch: readQuerySearch,
    component: lazyRouteComponent(
      () => import('../features/context-fields/context-fields-page.tsx'),
      'ContextFieldsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/segments',
    validateSearch: readQuerySearch,
    component: lazyRouteComponent(() => import('../features/segments/segments-page.tsx'), 'SegmentsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/tag-types',
    component: lazyRouteComponent(() => import('../features/tags/tag-types-page.tsx'), 'TagTypesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/strategies',
    component: lazyRouteComponent(
      () => import('../features/strategy-types/strategy-types-page.tsx'),
      'StrategyTypesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/release-templates',
    validateSearch: readTemplateSearch,
    component: lazyRouteComponent(() => import('../features/release-templates/templates-page.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/release-templates/create-template',
    validateSearch: readCreateTemplateSearch,
    component: lazyRouteComponent(
      () => import('../features/release-templates/template-pages.tsx'),
      'CreateTemplatePage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/release-templates/edit/$templateId',
    component: lazyRouteComponent(() => import('../features/release-templates/template-pages.tsx'), 'EditTemplatePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/feature-toggle-type',
    component: lazyRouteComponent(() => import('../features/flag-types/feature-types-page.tsx'), 'FeatureTypesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/applications',
    validateSearch: readApplicationSearch,
    component: lazyRouteComponent(() => import('../features/applications/applications-page.tsx'), 'ApplicationsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/applications/unknown-flags',
    component: lazyRouteComponent(() => import('../features/applications/unknown-flags-page.tsx'), 'UnknownFlagsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/applications/$appName',
    component: lazyRouteComponent(() => import('../features/applications/application-page.tsx'), 'ApplicationPage'),
  }),
] as const;
