import { fieldsIn, flagFields } from '@yardarm/contract';
import { presentDependency } from '#features/flags/dependencies/index.ts';
import { presentHold } from '#features/flags/held-state/index.ts';
import { presentStage } from '#features/flags/lifecycle/index.ts';
import type { Link } from '#features/flags/links/index.ts';
import { presentStrategy } from '#features/flags/strategies/index.ts';
import { presentFlagVariant } from '#features/flags/variants/index.ts';
import { adminTokenUserId, systemActor } from '#kernel/actor.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { ActiveMilestone } from './active-milestone.ts';
import type { Creator, FeatureEnvironmentView, FeatureView } from './queries.ts';

export function presentFeature(view: FeatureView) {
  const { feature, creatorName, tags, environments, dependencies, links } = view;
  return {
    name: feature.name,
    project: feature.project,
    archived: feature.archivedAt !== null,
    ...fieldsIn(flagFields, feature),
    favorite: view.favorite,
    createdAt: isoTime(feature.createdAt),
    createdBy: {
      id: feature.createdByUserId,
      name: creatorName ?? nameWithoutAccount(feature.createdByUserId),
      imageUrl: '',
    },
    archivedAt: isoTimeOrNull(feature.archivedAt),
    lastSeenAt: isoTimeOrNull(feature.lastSeenAt),
    lifecycle: presentStage(feature),
    tags: [...tags],
    environments: environments.map(presentFeatureEnvironment),
    ...(links === undefined ? {} : { links: links.map(presentLink) }),
    ...(dependencies === undefined
      ? {}
      : {
          dependencies: dependencies.parents.map(presentDependency),
          children: dependencies.children.map(({ child }) => child),
        }),
    ...(view.collaborators === undefined
      ? {}
      : { collaborators: { users: view.collaborators.map((user) => ({ ...presentCreator(user), imageUrl: '' })) } }),
  };
}

/** Renders pages of flags as JSON text, for answers too large to be built in memory. */
export async function* featuresAsJsonText(pages: AsyncIterable<readonly FeatureView[]>): AsyncGenerator<string[]> {
  for await (const page of pages) yield page.map((view) => JSON.stringify(presentFeature(view)));
}

export function presentFeatureEnvironment(view: FeatureEnvironmentView) {
  return {
    name: view.environment,
    featureName: view.featureName,
    environment: view.environment,
    type: view.type,
    enabled: view.enabled,
    sortOrder: view.sortOrder,
    lastSeenAt: isoTimeOrNull(view.lastSeenAt),
    hasStrategies: view.strategyCount > 0,
    hasEnabledStrategies: view.activeStrategyCount > 0,
    lease: view.hold === null ? null : presentHold(view.hold),
    ...(view.strategies === undefined ? {} : { strategies: view.strategies.map(presentStrategy) }),
    variantCount: view.variantCount,
    yes: view.yes,
    no: view.no,
    ...(view.variants === undefined ? {} : { variants: view.variants.map(presentFlagVariant) }),
    ...(view.releasePlans === undefined ? {} : { releasePlans: [...view.releasePlans] }),
    ...(view.milestone === null ? {} : presentMilestone(view.milestone)),
    ...(view.changeRequestIds === undefined ? {} : { changeRequestIds: [...view.changeRequestIds] }),
  };
}

function presentMilestone({ name, order, total }: ActiveMilestone) {
  return { milestoneName: name, milestoneOrder: order, totalMilestones: total };
}

export function presentCreator({ id, name }: Creator) {
  return { id, name: name ?? nameWithoutAccount(id) };
}

function presentLink({ id, url, title, featureName }: Link) {
  return { id, url, title, feature: featureName };
}

/** Returns the name of an author without an account (docs/spec#event-fields). */
function nameWithoutAccount(userId: number): string {
  if (userId === systemActor.userId) return 'Unleash System';
  if (userId === adminTokenUserId) return 'Unleash Admin Token';
  return 'unknown';
}
