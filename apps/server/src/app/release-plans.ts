import {
  planProgression,
  planReader,
  releasePlanHandlers,
  releasePlanListHandlers,
} from '#features/releases/release-plans/index.ts';
import { releaseTemplateHandlers } from '#features/releases/release-templates/index.ts';
import { safeguardsOfPlan } from '#features/releases/safeguards/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { limitsOf } from './limits.ts';

/** Wires release templates and plans. */
export function buildReleasePlans({ config, clock, database }: ServiceDependencies) {
  const limits = limitsOf(config);
  return {
    jobs: [planProgression(limits.strategies, safeguardsOfPlan)],
    handlers: {
      ...releaseTemplateHandlers(database, limits.releaseTemplates),
      ...releasePlanHandlers(database, planReader(clock, safeguardsOfPlan), limits.strategies),
      ...releasePlanListHandlers(database, clock),
    },
  };
}
