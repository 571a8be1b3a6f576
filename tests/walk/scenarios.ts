import { globSync } from 'node:fs';
import { type RouteKey, type RouteSpec, type Routes, routes } from '@yardarm/contract';
import { type Scenario, statusOf } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { createSnsSender } from '../../apps/server/testing/sns.ts';

export type LoadedScenario = Scenario & { readonly status: number };

/** Returns the scenarios of every feature. */
export async function loadScenarios(): Promise<LoadedScenario[]> {
  const features = new URL('../../apps/server/src/features/', import.meta.url);
  // Sorted, because tests take the first scenario of a route.
  const files = globSync('**/*.scenarios.ts', { cwd: features }).sort();
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, features).href) as Promise<Record<string, unknown>>),
  );
  // Feature files export the scenarios of their rooms again; the set counts each of them once.
  const all = new Set(modules.flatMap((module) => Object.values(module).filter(Array.isArray).flat() as Scenario[]));
  return [...all].map((scenario) => ({ ...scenario, status: statusOf(scenario) }));
}

/** Returns the first of the scenarios of a route that succeeds. */
export function firstOf(scenarios: readonly LoadedScenario[], key: RouteKey & keyof Routes): LoadedScenario {
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
