import { globSync } from 'node:fs';
import type { Scenario } from '../../apps/server/testing/scenario.ts';

/** Returns the scenarios of every feature. */
export async function loadScenarios(): Promise<Scenario[]> {
  const features = new URL('../../apps/server/src/features/', import.meta.url);
  const files = globSync('**/*.scenarios.ts', { cwd: features });
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, features).href) as Promise<Record<string, unknown>>),
  );
  // Feature files export the scenarios of their rooms again; the set counts each of them once.
  return [...new Set(modules.flatMap((module) => Object.values(module).filter(Array.isArray).flat() as Scenario[]))];
}
