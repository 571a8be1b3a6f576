import type { DefaultStrategyAnswer } from '@yardarm/contract';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { CreatedProject } from './commands.ts';
import type { ProjectOwner } from './owners.ts';
import type { Project } from './project.ts';
import { daysToProduction, type FlagStatistics, healthOf } from './project-flags.ts';
import type { projectStats } from './stats.ts';

/** Data about a project that is not stored with it. */
interface ProjectDetails {
  readonly favorites: ReadonlySet<string>;
  readonly members: number;
  /** The oldest flag of the project that is not archived. */
  readonly oldestFlag: string | undefined;
}

interface ListDetails {
  readonly owners: readonly ProjectOwner[];
  /** Time of the last event of the project, or of its last update. */
  readonly changedAt: number;
}

export function presentProject(
  project: Project,
  flags: FlagStatistics,
  { favorites, members, oldestFlag, owners, changedAt }: ProjectDetails & ListDetails,
) {
  return {
    id: project.id,
    ...commonFields(project, flags, favorites),
    ...descriptionOf(project),
    memberCount: members,
    featureCount: flags.active,
    staleFeatureCount: flags.stale,
    potentiallyStaleFeatureCount: flags.potentiallyStale,
    lastReportedFlagUsage: isoTimeOrNull(flags.lastSeenAt),
    lastUpdatedAt: isoTime(changedAt),
    avgTimeToProduction: daysToProduction(flags),
    cleanupCount: flags.completed,
    onboardingStatus: onboardingStatusOf(flags, oldestFlag),
    owners: owners.length === 0 ? [{ ownerType: 'system' as const }] : [...owners],
  };
}

interface OverviewDetails {
  /** The default strategies of the project by environment. */
  readonly defaultStrategies: ReadonlyMap<string, DefaultStrategyAnswer>;
  /** Names of the reviewed environments. */
  readonly reviewed: ReadonlySet<string>;
  readonly stats: Awaited<ReturnType<typeof projectStats>>;
}

export function presentOverview(
  project: Project,
  environments: readonly { readonly name: string }[],
  flags: FlagStatistics,
  { oldestFlag, defaultStrategies, reviewed, favorites, members, stats }: ProjectDetails & OverviewDetails,
) {
  return {
    version: 1 as const,
    ...commonFields(project, flags, favorites),
    description: project.description,
    featureLimit: project.featureLimit,
    featureNaming: project.naming,
    changeReason: project.changeReason,
    linkTemplates: [...project.linkTemplates],
    members,
    environments: environments.map(({ name }) => {
      const defaultStrategy = defaultStrategies.get(name);
      return {
        environment: name,
        changeRequestsEnabled: reviewed.has(name),
        ...(defaultStrategy === undefined ? {} : { defaultStrategy }),
      };
    }),
    featureTypeCounts: [...flags.types],
    stats,
    onboardingStatus: onboardingStatusOf(flags, oldestFlag),
  };
}

export function presentCreated({ project, environments, changeRequestEnvironments }: CreatedProject) {
  const { id, name, mode, defaultStickiness, featureLimit } = project;
  return {
    id,
    name,
    ...descriptionOf(project),
    mode,
    defaultStickiness,
    featureLimit,
    environments: [...environments],
    changeRequestEnvironments: [...changeRequestEnvironments],
  };
}

/** Omits a missing description: Terraform's provider crashes on null. */
function descriptionOf({ description }: Project) {
  return description === null ? {} : { description };
}

/** A project is onboarded once an SDK has evaluated one of its flags. */
function onboardingStatusOf(flags: FlagStatistics, oldestFlag: string | undefined) {
  if (oldestFlag === undefined) return { status: 'onboarding-started' as const };
  if (flags.lastSeenAt === null) return { status: 'first-flag-created' as const, feature: oldestFlag };
  return { status: 'onboarded' as const };
}

function commonFields(project: Project, flags: FlagStatistics, favorites: ReadonlySet<string>) {
  const health = healthOf(flags);
  return {
    name: project.name,
    mode: project.mode,
    defaultStickiness: project.defaultStickiness,
    createdAt: isoTime(project.createdAt),
    updatedAt: isoTime(project.updatedAt),
    archivedAt: isoTimeOrNull(project.archivedAt),
    health,
    technicalDebt: 100 - health,
    favorite: favorites.has(project.id),
  };
}
