import { globSync } from 'node:fs';
import { type RouteKey, type RouteSpec, type Routes, routes } from '@yardarm/contract';
import type { Scenario } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { createSnsSender } from '../../apps/server/testing/sns.ts';

/** Returns the scenarios of every feature. */
export async function loadScenarios(): Promise<Scenario[]> {
  const features = new URL('../../apps/server/src/features/', import.meta.url);
  // Sorted, because tests take the first scenario of a route.
  const files = globSync('**/*.scenarios.ts', { cwd: features }).sort();
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, features).href) as Promise<Record<string, unknown>>),
  );
  // Feature files export the scenarios of their rooms again; the set counts each of them once.
  return [...new Set(modules.flatMap((module) => Object.values(module).filter(Array.isArray).flat() as Scenario[]))];
}

/** Returns the first of the scenarios of a route that succeeds. */
export function firstOf(scenarios: readonly Scenario[], key: RouteKey & keyof Routes): Scenario {
  const { answers } = routes[key] as RouteSpec;
  const scenario = scenarios.find(({ route, status }) => route === key && status in answers);
  if (scenario === undefined) throw new Error(`${key} has no scenario that succeeds`);
  return scenario;
}

/** Starts a server on which the first scenario of each route succeeds. */
export function useServerForScenarios() {
  return useServer(
    { signalEndpointsLimit: 100, actionSetsLimit: 100, emailHost: '127.0.0.1', emailSender: 'flags@example.com' },
    createSnsSender().fetchText,
  );
}
