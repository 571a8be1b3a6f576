import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readEventSearch } from '../features/events/event-search.ts';
import { readFlagSearch } from '../features/flags/flag-search.ts';
import { Failure } from '../ui/failure.tsx';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Shell, notFoundComponent: NotFound });

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects' });
  },
});

/** Where logging out leads; whoever sees it has signed in again. */
const signedOut = createRoute({
  getParentRoute: () => root,
  path: '/signed-out',
  beforeLoad: () => {
    throw redirect({ to: '/projects' });
  },
});

const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  component: lazyRouteComponent(() => import('../features/projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  validateSearch: readFlagSearch,
  component: lazyRouteComponent(() => import('../features/flags/project-flags-page.tsx'), 'ProjectFlagsPage'),
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
  component: lazyRouteComponent(() => import('../features/signals/integrations-page.tsx'), 'IntegrationsPage'),
});

const signals = createRoute({
  getParentRoute: () => root,
  path: '/integrations/signals',
  component: lazyRouteComponent(() => import('../features/signals/signals-page.tsx'), 'SignalsPage'),
});

const environments = createRoute({
  getParentRoute: () => root,
  path: '/environments',
  component: lazyRouteComponent(() => import('../features/environments/environments-page.tsx'), 'EnvironmentsPage'),
});

const routeTree = root.addChildren([index, signedOut, projects, project, events, integrations, signals, environments]);

/** The pages and their addresses, below the path that the server is mounted at. */
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
