import type { DefaultStrategyAnswer } from '@yardarm/contract';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';
import type { CreatedProject } from './commands.ts';
import type { Project } from './project.ts';
import { daysToProduction, type FlagStatistics, healthOf } from './project-flags.ts';
import type { ProjectOwner } from './standing.ts';
import type { projectStats } from './stats.ts';

/** What of a project is not its own: who favors it, how many people have a role in it. */
interface Standing {
  readonly favorites: ReadonlySet<string>;
  readonly members: number;
  /** The first flag of those the project has. */
  readonly oldestFlag: string | undefined;
}

interface ListParts {
  readonly owners: readonly ProjectOwner[];
  /** When something last happened in it. */
  readonly changedAt: number;
}

export function presentProject(
  project: Project,
  flags: FlagStatistics,
  { favorites, members, oldestFlag, owners, changedAt }: Standing & ListParts,
) {
  return {
    id: project.id,
    ...present(project, flags, favorites),
    ...describe(project),
    memberCount: members,
    featureCount: flags.active,
    staleFeatureCount: flags.stale,
    potentiallyStaleFeatureCount: flags.potentiallyStale,
    lastReportedFlagUsage: isoTimeOrNull(flags.lastSeenAt),
    lastUpdatedAt: isoTime(changedAt),
    avgTimeToProduction: daysToProduction(flags),
    cleanupCount: flags.completed,
    onboardingStatus: onboarding(flags, oldestFlag),
    owners: owners.length === 0 ? [{ ownerType: 'system' as const }] : [...owners],
  };
}

interface OverviewParts {
  /** By environment. */
  readonly defaultStrategies: ReadonlyMap<string, DefaultStrategyAnswer>;
  /** The environments in which changes are reviewed. */
  readonly reviewed: ReadonlySet<string>;
  readonly stats: Awaited<ReturnType<typeof projectStats>>;
}

export function presentOverview(
  project: Project,
  environments: readonly { readonly name: string }[],
  flags: FlagStatistics,
  { oldestFlag, defaultStrategies, reviewed, favorites, members, stats }: Standing & OverviewParts,
) {
  return {
    version: 1 as const,
    ...present(project, flags, favorites),
    description: project.description,
    featureLimit: project.featureLimit,
    featureNaming: project.naming,
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
    onboardingStatus: onboarding(flags, oldestFlag),
  };
}

export function presentCreated({ project, environments, changeRequestEnvironments }: CreatedProject) {
  const { id, name, mode, defaultStickiness, featureLimit } = project;
  return {
    id,
    name,
    ...describe(project),
    mode,
    defaultStickiness,
    featureLimit,
    environments: [...environments],
    changeRequestEnvironments: [...changeRequestEnvironments],
  };
}

/** Absent, not null, when there is none: Terraform's provider does not survive a null. */
function describe({ description }: Project) {
  return description === null ? {} : { description };
}

/** A project is under way once an SDK has asked for one of its flags. */
function onboarding(flags: FlagStatistics, oldestFlag: string | undefined) {
  if (oldestFlag === undefined) return { status: 'onboarding-started' as const };
  if (flags.lastSeenAt === null) return { status: 'first-flag-created' as const, feature: oldestFlag };
  return { status: 'onboarded' as const };
}

function present(project: Project, flags: FlagStatistics, favorites: ReadonlySet<string>) {
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
