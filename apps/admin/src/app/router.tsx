import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readEventSearch } from '../entities/events/event-search.ts';
import { readSignalSearch } from '../entities/signals/signal-search.ts';
import { readFlagSearch } from '../features/flags/flag-search.ts';
import { readProjectSearch } from '../features/projects/project-search.ts';
import { readStrategySearch } from '../features/strategies/strategy-search.ts';
import { readUsageSearch } from '../features/usage/usage-search.ts';
import { Failure } from '../ui/failure.tsx';
import { accessRoutes } from './access-routes.ts';
import { actionRoutes } from './action-routes.ts';
import { configureRoutes } from './configure-routes.ts';
import { firstStepsRoutes } from './first-steps-routes.ts';
import { projectSettingsRoute } from './project-settings-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { root } from './root-route.ts';

const toNow = () => {
  throw redirect({ to: '/personal' });
};

const index = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: toNow });

/**
 * The server redirects here after a logout or a failed login. A signed-out user sees the login page instead, so a user
 * who gets this far has signed in since.
 */
const signedOut = createRoute({ getParentRoute: () => root, path: '/signed-out', beforeLoad: toNow });
const login = createRoute({ getParentRoute: () => root, path: '/login', beforeLoad: toNow });

const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  validateSearch: readProjectSearch,
  component: lazyRouteComponent(() => import('../features/projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  validateSearch: readFlagSearch,
  component: lazyRouteComponent(() => import('../features/flags/project-flags-page.tsx'), 'ProjectFlagsPage'),
});

const createProject = createRoute({
  getParentRoute: () => root,
  path: '/create-project',
  component: lazyRouteComponent(() => import('../features/projects/create-project-page.tsx'), 'CreateProjectPage'),
});

const archive = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId/archive',
  validateSearch: readFlagSearch,
  component: lazyRouteComponent(() => import('../features/flags/archive-page.tsx'), 'ArchivePage'),
});

const flag = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId/features/$featureName',
  component: lazyRouteComponent(() => import('../features/flags/flag-layout.tsx'), 'FlagLayout'),
});

const flagOverview = createRoute({
  getParentRoute: () => flag,
  path: '/',
  component: lazyRouteComponent(() => import('../features/flags/flag-overview.tsx'), 'FlagOverview'),
});

const flagMetrics = createRoute({
  getParentRoute: () => flag,
  path: '/metrics',
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import('../features/usage/flag-metrics.tsx'), 'FlagMetrics'),
});

const flagEvents = createRoute({
  getParentRoute: () => flag,
  path: '/logs',
  component: lazyRouteComponent(() => import('../features/flags/flag-events.tsx'), 'FlagEvents'),
});

const flagSettings = createRoute({
  getParentRoute: () => flag,
  path: '/settings',
  component: lazyRouteComponent(() => import('../features/flags/flag-settings.tsx'), 'FlagSettings'),
});

const createFlag = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId/create-flag',
  component: lazyRouteComponent(() => import('../features/flags/create-flag-page.tsx'), 'CreateFlagPage'),
});

const createStrategy = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId/features/$featureName/strategies/create',
  validateSearch: readStrategySearch,
  component: lazyRouteComponent(() => import('../features/strategies/strategy-pages.tsx'), 'CreateStrategyPage'),
});

const editStrategy = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId/features/$featureName/strategies/edit',
  validateSearch: readStrategySearch,
  component: lazyRouteComponent(() => import('../features/strategies/strategy-pages.tsx'), 'EditStrategyPage'),
});

const flagVariants = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId/features/$featureName/variants',
  validateSearch: readStrategySearch,
  component: lazyRouteComponent(() => import('../features/variants/variants-page.tsx'), 'VariantsPage'),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: readEventSearch,
  component: lazyRouteComponent(() => import('../features/events/events-page.tsx'), 'EventsPage'),
});

const integrations = createRoute({
  getParentRoute: () => root,
  path: '/integrations',
  component: lazyRouteComponent(() => import('../features/integrations/integrations-page.tsx'), 'IntegrationsPage'),
});

const consumers = createRoute({
  getParentRoute: () => root,
  path: '/integrations/consumers',
  component: lazyRouteComponent(() => import('../features/event-consumers/consumers-page.tsx'), 'ConsumersPage'),
});

const signals = createRoute({
  getParentRoute: () => root,
  path: '/integrations/signals',
  validateSearch: readSignalSearch,
  component: lazyRouteComponent(() => import('../features/signals/signals-page.tsx'), 'SignalsPage'),
});

const routeTree = root.addChildren([
  index,
  signedOut,
  login,
  projects,
  project,
  createProject,
  archive,
  flag.addChildren([flagOverview, flagMetrics, flagEvents, flagSettings]),
  createFlag,
  createStrategy,
  editStrategy,
  flagVariants,
  events,
  integrations,
  consumers,
  signals,
  ...configureRoutes,
  projectSettingsRoute,
  ...reviewRoutes,
  ...actionRoutes,
  ...firstStepsRoutes,
  ...accessRoutes,
]);

/** Creates the router, below the base path of the server. */
export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    basepath: new URL(document.baseURI).pathname,
    defaultPreload: 'intent',
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
