import type {
  changeControlRoutes,
  environmentRoutes,
  favoriteRoutes,
  featureSearchRoutes,
  personalDashboardRoutes,
  projectInsightsRoutes,
  projectRoutes,
  segmentRoutes,
  strategyTypeRoutes,
  tagRoutes,
} from '@yardarm/contract';
import { importAtStartup, transferHandlers } from '#features/as-code/import-export/index.ts';
import { type StateLimits, stateHandlers } from '#features/as-code/state/index.ts';
import {
  changeControlHandlers,
  copyReviewSettings,
  reviewedIn,
  setRequiredApprovals,
} from '#features/flags/change-control/index.ts';
import { contextFieldHandlers, deleteContextFieldsOfProject } from '#features/flags/context-fields/index.ts';
import { deleteDefaultsOfProject } from '#features/flags/default-strategies/index.ts';
import { favoriteHandlers } from '#features/flags/favorites/index.ts';
import { flagSearchHandlers } from '#features/flags/flag-search/index.ts';
import {
  copyFlagsOfEnvironment,
  createStalenessCheck,
  flagHandlers,
  projectFlags,
  recordLostHolds,
  taggedFlags,
} from '#features/flags/flags/index.ts';
import { projectInsightsHandlers } from '#features/flags/project-insights/index.ts';
import { deleteSegmentsOfProject, segmentHandlers } from '#features/flags/segments/index.ts';
import { strategyTypeHandlers } from '#features/flags/strategy-types/index.ts';
import { tagHandlers } from '#features/flags/tags/index.ts';
import { personalDashboardHandlers } from '#features/log/personal-dashboard/index.ts';
import type { SecretStorage } from '#features/people/api-tokens/index.ts';
import { resolveByDns } from '#features/platform/outbound/index.ts';
import { enableEnvironments, environmentHandlers } from '#features/projects/environments/index.ts';
import { createFirstProject, projectHandlers } from '#features/projects/projects/index.ts';
import { copyGrantsOfEnvironment } from '#features/projects/roles/index.ts';
import { planReader, readPlans } from '#features/releases/release-plans/index.ts';
import { deleteTemplatesOfProject } from '#features/releases/release-templates/index.ts';
import { safeguardsOfPlan } from '#features/releases/safeguards/index.ts';
import { strategiesRequesting } from '#features/review/change-requests/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Loop } from '#kernel/loop.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { addressPolicyOf } from './integrations.ts';
import { limitsOf } from './limits.ts';

export interface FlagParts {
  readonly staleness: Loop<number>;
  readonly handlers: Handlers<typeof projectRoutes> &
    Handlers<typeof projectInsightsRoutes> &
    Handlers<typeof environmentRoutes> &
    Handlers<typeof changeControlRoutes> &
    Handlers<typeof featureSearchRoutes> &
    ReturnType<typeof stateHandlers> &
    ReturnType<typeof transferHandlers> &
    Handlers<typeof segmentRoutes> &
    ReturnType<typeof contextFieldHandlers> &
    Handlers<typeof favoriteRoutes> &
    Handlers<typeof personalDashboardRoutes> &
    Handlers<typeof strategyTypeRoutes> &
    Handlers<typeof tagRoutes> &
    ReturnType<typeof flagHandlers>;
}

/** Wires projects, environments, flags, segments and context fields. Creates the first project of a new instance. */
export async function buildFlags(
  { config, clock, database, log }: ServiceDependencies,
  secrets: SecretStorage,
  onReview: (id: number) => void,
): Promise<FlagParts> {
  const { review } = limitsOf(config);
  await createFirstProject(database, setRequiredApprovals);
  const limits: StateLimits = {
    ...limitsOf(config),
    apiTokens: { limit: config.apiTokenLimit, secrets },
    strategyTypes: {
      noCreation: config.disableCustomStrategyCreation,
      noEditing: config.disableCustomStrategyEditing,
    },
  };
  await importOnce({ config, database, log }, limits);
  const unknown = await enableEnvironments(database, config.enabledEnvironments);
  if (unknown.length > 0)
    log.warn(
      { environments: unknown },
      'ENABLED_ENVIRONMENTS contains unknown environments; create them or remove them from the setting',
    );
  const staleness = createStalenessCheck(database, clock, (error) =>
    log.error({ err: error }, 'looking for potentially stale flags failed'),
  );
  return {
    staleness,
    handlers: {
      ...projectHandlers({
        database,
        clock,
        flags: projectFlags(limits.flags),
        projectDataDeleters: [
          deleteDefaultsOfProject,
          deleteSegmentsOfProject,
          deleteContextFieldsOfProject,
          deleteTemplatesOfProject,
        ],
        setRequiredApprovals,
        reviewedIn,
        limit: limits.projects,
      }),
      ...projectInsightsHandlers({ database, clock, flags: projectFlags(limits.flags), reviewedIn }),
      ...changeControlHandlers(database, review),
      ...environmentHandlers(database, {
        limit: limits.environments,
        copies: [copyFlagsOfEnvironment, copyGrantsOfEnvironment, copyReviewSettings],
        defaultStrategies: projectFlags(limits.flags).defaultStrategies,
        beforeDelete: recordLostHolds,
      }),
      ...flagSearchHandlers(database, clock),
      ...favoriteHandlers(database),
      ...personalDashboardHandlers(database, clock, projectFlags(limits.flags)),
      ...strategyTypeHandlers(database, limits.strategyTypes),
      ...tagHandlers(database, taggedFlags),
      ...flagHandlers(database, limits.flags, readPlans(planReader(clock, safeguardsOfPlan))),
      ...segmentHandlers(database, limits.segments, strategiesRequesting),
      ...contextFieldHandlers(database),
      ...stateHandlers(
        database,
        clock,
        limits,
        { addressPolicy: addressPolicyOf(config), resolve: resolveByDns },
        onReview,
      ),
      ...transferHandlers(database, clock, limits),
    },
  };
}

/** Imports the file that the settings name, once for each project and environment. */
async function importOnce(
  { config, database, log }: Pick<ServiceDependencies, 'config' | 'database' | 'log'>,
  limits: StateLimits,
): Promise<void> {
  if (config.importFile === undefined) return;
  const target = { project: config.importProject, environment: config.importEnvironment };
  const created = await importAtStartup(database, limits, config.importFile, target);
  log.info({ ...target, file: config.importFile, created }, 'import at start; done once for each environment');
}
