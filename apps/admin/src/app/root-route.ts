import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

/** What every page is inside of. */
export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Shell,
  notFoundComponent: NotFound,
});
