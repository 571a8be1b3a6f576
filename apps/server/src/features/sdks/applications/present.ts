import type { StrategyType } from '#features/flags/strategy-types/index.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Application } from './application.ts';
import { isOutdated, partsOf } from './outdated-sdks.ts';
import type { InstanceGroup, Seen, Usage } from './queries.ts';

export function presentApplication(
  application: Application,
  usage: readonly Usage[],
  groups: readonly InstanceGroup[],
) {
  const { appName, strategies, description, url, color, icon, announced } = application;
  const own = groups.filter((group) => group.sdkVersion !== null);
  const sdkVersion = own.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)[0]?.sdkVersion;
  const projects = Map.groupBy(usage, ({ project }) => project);
  return {
    appName,
    strategies: [...strategies],
    ...withoutNull({ sdkVersion }),
    description,
    url,
    color,
    icon,
    usage: [...projects].map(([project, some]) => ({
      project,
      environments: some.map(({ environment }) => environment),
    })),
    announced,
    createdAt: isoTime(application.createdAt),
    updatedAt: isoTime(application.lastSeenAt),
    lastSeenAt: isoTime(application.lastSeenAt),
  };
}

/** Returns the strategies that an SDK supports with their definitions, or with `notFound` for undefined ones. */
export function presentStrategies(names: readonly string[], definitions: readonly StrategyType[]) {
  const known = new Map(definitions.map((definition) => [definition.name, definition]));
  return names.map((name) => {
    const definition = known.get(name);
    if (definition === undefined) return { name, notFound: true as const };
    return { ...definition, parameters: definition.parameters.map((parameter) => ({ ...parameter })) };
  });
}

/** Returns the fields without those that are null or undefined. */
export function withoutNull<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

export function presentOverview(
  flags: readonly { readonly project: string }[],
  groups: readonly InstanceGroup[],
  missing: readonly { readonly environment: string; readonly featureName: string }[],
  missingStrategies: readonly string[],
) {
  const names = new Set([...groups, ...missing].map(({ environment }) => environment));
  return {
    projects: [...new Set(flags.map(({ project }) => project))].toSorted(),
    featureCount: flags.length,
    environments: [...names].toSorted().map((name) => presentEnvironment(name, groups, missing)),
    issues: { missingStrategies: [...missingStrategies] },
  };
}

function presentEnvironment(
  name: string,
  groups: readonly InstanceGroup[],
  missing: readonly { readonly environment: string; readonly featureName: string }[],
) {
  const there = groups.filter(({ environment }) => environment === name);
  const recent = there.filter((group) => group.recent > 0);
  const sdksOf = (some: readonly InstanceGroup[]) =>
    [...new Set(some.flatMap(({ sdkVersion }) => sdkVersion ?? []))].toSorted();
  const sdks = sdksOf(recent);
  const backendSdks = sdksOf(recent.filter(({ sdkType }) => sdkType !== 'frontend'));
  const frontendSdks = sdksOf(recent.filter(({ sdkType }) => sdkType === 'frontend'));
  return {
    name,
    instanceCount: there.reduce((sum, group) => sum + group.recent, 0),
    sdks,
    backendSdks,
    frontendSdks,
    sdksByType: { backend: backendSdks, frontend: frontendSdks },
    lastSeen: there.length === 0 ? null : isoTime(Math.max(...there.map(({ lastSeenAt }) => lastSeenAt))),
    issues: {
      missingFeatures: missing.filter((use) => use.environment === name).map(({ featureName }) => featureName),
      outdatedSdks: sdks.filter(isOutdated),
    },
  };
}

export function presentOutdated(inUse: readonly { readonly sdkVersion: string; readonly appName: string }[]) {
  const outdated = inUse.filter(({ sdkVersion }) => isOutdated(sdkVersion));
  return [...Map.groupBy(outdated, ({ sdkVersion }) => sdkVersion)].map(([sdkVersion, some]) => ({
    sdkVersion,
    applications: some.map(({ appName }) => appName),
  }));
}

/** Returns the applications of a project, limited to the environments in which they evaluate flags of the project. */
export function presentOfProject(
  names: readonly string[],
  usage: readonly Usage[],
  instances: readonly Seen[],
  sdkVersions: readonly Seen[],
) {
  const usageOf = Map.groupBy(usage, ({ appName }) => appName);
  const instancesOf = Map.groupBy(instances, ({ appName }) => appName);
  const versionsOf = Map.groupBy(sdkVersions, ({ appName }) => appName);
  return names.map((name) => {
    const own = instancesOf.get(name) ?? [];
    const sdks = (versionsOf.get(name) ?? []).map(({ value }) => partsOf(value));
    return {
      name,
      environments: (usageOf.get(name) ?? []).map(({ environment }) => environment),
      instances: own.map(({ value }) => value),
      instanceCount: own[0]?.total ?? 0,
      sdks: [...Map.groupBy(sdks, (sdk) => sdk.name)].map(([sdk, versions]) => ({
        name: sdk,
        versions: versions.map(({ version }) => version).filter((version) => version !== ''),
      })),
    };
  });
}
