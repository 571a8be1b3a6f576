import type { instanceRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { instanceId } from './instance-id.ts';
import { presentStatistics, statisticsCsv } from './present.ts';
import { countInstance } from './statistics.ts';

export interface InstanceRoutesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly version: string;
  readonly basePath: string;
  readonly publicUrl: () => string;
  readonly authType: 'open-source' | 'none';
  readonly maxSessions: number;
  /** The longest life of a new personal token of a user, in days; 0 for no limit. */
  readonly personalTokenDays: number;
  /** The limits of the instance, by the names that Unleash uses. */
  readonly limits: Readonly<Record<string, number>>;
  readonly inMaintenance: () => Promise<boolean>;
  readonly frontendApiOrigins: () => readonly string[];
  readonly emailEnabled: boolean;
  /** Whether the settings name a Prometheus server. */
  readonly externalMetrics: boolean;
  readonly passwordsDisabled: () => Promise<boolean>;
  readonly oidcThroughEnvironment: boolean;
  readonly oidcEnabled: () => Promise<boolean>;
}

export function instanceHandlers(options: InstanceRoutesOptions): Handlers<typeof instanceRoutes> {
  const { database, clock, version } = options;
  const statistics = async () => {
    const now = clock.now();
    const logins = {
      passwordAuthEnabled: !(await options.passwordsDisabled()),
      OIDCenabled: await options.oidcEnabled(),
    };
    const counts = await countInstance(database, now);
    return presentStatistics(await instanceId(database.db), version, now, counts, logins);
  };
  return {
    'GET /api/admin/ui-config': async () => {
      const current = { oss: version, enterprise: '' };
      const body = {
        name: 'Yardarm',
        version,
        environment: 'production',
        unleashUrl: options.publicUrl(),
        baseUriPath: options.basePath,
        authenticationType: options.authType,
        disablePasswordAuth: options.authType === 'none' || (await options.passwordsDisabled()),
        oidcConfiguredThroughEnv: options.oidcThroughEnvironment,
        samlConfiguredThroughEnv: false,
        emailEnabled: options.emailEnabled,
        maintenanceMode: await options.inMaintenance(),
        frontendApiOrigins: [...options.frontendApiOrigins()],
        maxSessionsCount: options.maxSessions,
        personalTokenDays: options.personalTokenDays,
        resourceLimits: { ...options.limits },
        prometheusAPIAvailable: options.externalMetrics,
        impactMetrics: 'disabled' as const,
        storiesPageEnabled: false as const,
        unleashContext: {},
        flags: {},
        links: [],
        // The service does not check for newer versions.
        versionInfo: { current, latest: current, isLatest: true, instanceId: await instanceId(database.db) },
      };
      return { body };
    },
    'GET /api/admin/instance-admin/statistics': async () => ({ body: await statistics() }),
    'GET /api/admin/instance-admin/statistics/csv': async () => ({ body: statisticsCsv(await statistics()) }),
  };
}
