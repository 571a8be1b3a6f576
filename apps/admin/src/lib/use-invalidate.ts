import { useQueryClient } from '@tanstack/react-query';
import type { RouteKey } from './api.ts';

/** Returns a function that invalidates cached answers by route, and resolves when those in use are loaded again. */
export function useInvalidate(): (routes: readonly RouteKey[]) => Promise<unknown> {
  const queries = useQueryClient();
  return (routes) => Promise.all(routes.map((route) => queries.invalidateQueries({ queryKey: [route] })));
}
