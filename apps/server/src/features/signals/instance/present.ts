import { isoTime } from '#kernel/clock.ts';
import type { InstanceCounts } from './statistics.ts';

/** The ways to log in that are enabled. */
export interface EnabledLogins {
  readonly passwordAuthEnabled: boolean;
  readonly OIDCenabled: boolean;
}

export function presentStatistics(
  instanceId: string,
  version: string,
  now: number,
  counts: InstanceCounts,
  logins: EnabledLogins,
) {
  const { active7, active30, active60, active90, changes30, changes60, changes90, ...rest } = counts;
  const { enabledCount, variantCount, admin, backend, frontend, apps, apps30, apps7, ...totals } = rest;
  return {
    instanceId,
    timestamp: isoTime(now),
    versionOSS: version,
    versionEnterprise: '' as const,
    ...totals,
    ...logins,
    activeUsers: { last7: active7, last30: active30, last60: active60, last90: active90 },
    productionChanges: { last30: changes30, last60: changes60, last90: changes90 },
    previousDayMetricsBucketsCount: { enabledCount, variantCount },
    apiTokens: { admin, client: backend, backend, frontend },
    licensedUsers: counts.users,
    ...unsupported,
    clientApps: [
      { range: 'allTime' as const, count: apps },
      { range: '30d' as const, count: apps30 },
      { range: '7d' as const, count: apps7 },
    ],
  };
}

/** Fields of Unleash's statistics that Yardarm does not have. */
const unsupported = {
  SAMLenabled: false,
  SCIMenabled: false,
  edgeInstanceUsage: {},
} as const;

/** Returns the statistics as CSV (RFC 4180): a line of names and a line of values. */
export function statisticsCsv(statistics: ReturnType<typeof presentStatistics>): string {
  const { clientApps, ...rest } = statistics;
  const apps = Object.fromEntries(clientApps.map(({ range, count }) => [range, count]));
  const cells = Object.entries({ ...rest, clientApps: apps }).flatMap(([name, value]) =>
    typeof value === 'object'
      ? Object.entries(value).map(([part, count]) => [`${name}_${part}`, String(count)] as const)
      : [[name, String(value)] as const],
  );
  const line = (values: readonly string[]) =>
    `${values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')}\r\n`;
  return line(cells.map(([name]) => name)) + line(cells.map(([, value]) => value));
}
