import { routes } from '@yardarm/contract';
import { incidentHandlers, type MovedUsers } from '#features/automation/incidents/index.ts';
import type { AuthSettings } from '#features/people/auth-settings/index.ts';
import { bannerHandlers } from '#features/platform/banners/index.ts';
import { corsHandlers, watchCorsOrigins } from '#features/platform/cors/index.ts';
import { interfaceStateHandlers } from '#features/platform/interface-state/index.ts';
import { legalHoldHandlers } from '#features/platform/legal-hold/index.ts';
import type { LoopProbe } from '#features/platform/loop-probe/index.ts';
import { createMaintenance, maintenanceHandlers } from '#features/platform/maintenance/index.ts';
import { eventExportHandlers } from '#features/platform/operations/index.ts';
import { systemHandlers } from '#features/platform/system/index.ts';
import { nowHandlers } from '#features/review/now/index.ts';
import { firstStepHandlers, instanceHandlers } from '#features/signals/instance/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { limitsOf, resourceLimits } from './limits.ts';
import { version } from './version.ts';

/** Wires the features for administrators: maintenance, CORS, banners, UI state, statistics, health and metrics. */
export async function buildOperations(
  parts: ServiceDependencies,
  authSettings: AuthSettings,
  loopProbe: LoopProbe | undefined,
  movedUsers: MovedUsers,
) {
  const { config, clock, database, metrics, log, lifetime, publicUrl } = parts;
  const maintenance = createMaintenance(database);
  const { frontendApiOrigins: origins } = config;
  const frontendApiOrigins = await watchCorsOrigins(database, origins.length === 0 ? ['*'] : origins);
  const { basePath, authType } = config;
  return {
    frontendApiOrigins,
    outsideMaintenance: maintenance.wrap,
    handlers: {
      ...maintenanceHandlers(database, maintenance),
      ...legalHoldHandlers(database),
      ...nowHandlers(database, clock, () => loopProbe?.state, limitsOf(config).review),
      ...incidentHandlers(database, clock, movedUsers),
      ...eventExportHandlers(database),
      ...corsHandlers(database),
      ...bannerHandlers(database),
      ...interfaceStateHandlers(database, clock, (about, message) => log.warn(about, message)),
      ...firstStepHandlers(database),
      ...instanceHandlers({
        database,
        clock,
        version,
        basePath,
        publicUrl,
        authType,
        maxSessions: config.maxParallelSessions,
        personalTokenDays: config.personalTokenDays,
        limits: resourceLimits(limitsOf(config)),
        inMaintenance: maintenance.enabled,
        frontendApiOrigins,
        emailEnabled: config.emailHost !== '',
        externalMetrics: config.prometheusUrl !== undefined,
        passwordsDisabled: () => authSettings.passwordsDisabled(),
        oidcThroughEnvironment: authSettings.oidcThroughEnvironment,
        oidcEnabled: async () => (await authSettings.oidc()).enabled,
      }),
      ...systemHandlers({
        routes,
        version,
        basePath,
        publicUrl,
        ready: database.ping,
        stopping: () => lifetime.stopping,
        metrics: metrics.text,
      }),
    },
  };
}
