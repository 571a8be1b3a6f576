import {
  type DefaultStrategy,
  listDefaultStrategies,
  presentDefaultStrategy,
} from '#features/flags/default-strategies/index.ts';
import { type Dependency, dependenciesOf, presentDependency } from '#features/flags/dependencies/index.ts';
import { type Feature, findFeatures } from '#features/flags/feature/index.ts';
import { findSegments, type Segment, segmentEventData } from '#features/flags/segments/index.ts';
import { listStrategies, type Strategy, strategyEventData } from '#features/flags/strategies/index.ts';
import { type FlagVariant, listVariants } from '#features/flags/variants/index.ts';
import { type Plan, plansOn } from '#features/releases/release-plans/index.ts';
import { findTemplates, type Template } from '#features/releases/release-templates/index.ts';
import type { Db } from '#storage/tx.ts';
import type { Place } from './apply.ts';
import {
  type Change,
  flagOf,
  isPlanOperation,
  type Operation,
  type PlanOperation,
  requestedSegments,
  segmentOf,
} from './change.ts';
import { baseColumn } from './store.ts';

/** The current state of the flags and segments that changes refer to. */
export interface CurrentState {
  readonly features: ReadonlyMap<string, Feature>;
  readonly strategies: readonly Strategy[];
  readonly defaultStrategies: readonly DefaultStrategy[];
  readonly variants: readonly {
    readonly featureName: string;
    readonly environment: string;
    readonly variants: readonly FlagVariant[];
  }[];
  readonly dependencies: readonly Dependency[];
  readonly segments: ReadonlyMap<number, Segment>;
  readonly plans: readonly Plan[];
  readonly templates: readonly Template[];
}

/** Reads the current state for the operations, with at most nine statements. */
export async function readCurrentState(db: Db, changes: readonly Operation[]): Promise<CurrentState> {
  const names = [...new Set(changes.flatMap((change) => flagOf(change) ?? []))];
  const none = { parents: [], children: [] };
  const ofPlans = changes.filter(isPlanOperation);
  const templateIds = ofPlans.flatMap((change) =>
    change.action === 'addReleasePlan' ? (change.payload.templateId ?? []) : [],
  );
  const templates = await findTemplates(db, templateIds);
  const features = await findFeatures(db, names);
  const defaultStrategies = await defaultsFor(db, changes, features);
  const ids = [
    ...changes.flatMap((change) => segmentOf(change) ?? requestedSegments(change)),
    ...templates.flatMap(segmentsOfTemplate),
    ...defaultStrategies.flatMap((strategy) => strategy.segments),
  ];
  const [strategies, variants, { parents }, segments, plans] = await Promise.all([
    names.length === 0 ? [] : listStrategies(db, names),
    listVariants(db, names),
    names.length === 0 ? none : dependenciesOf(db, names),
    findSegments(db, [...new Set(ids)]),
    plansOn(db, [...new Set(ofPlans.map(({ feature }) => feature))]),
  ]);
  return {
    features: new Map(features.map((feature) => [feature.name, feature])),
    strategies,
    defaultStrategies,
    variants,
    dependencies: parents,
    segments: new Map(segments.map((segment) => [segment.id, segment])),
    plans,
    templates,
  };
}

/** Returns the default strategies of the projects whose flags the operations switch on. */
async function defaultsFor(db: Db, changes: readonly Operation[], features: readonly Feature[]) {
  const names = new Set(changes.flatMap((change) => (isSwitchOn(change) ? change.feature : [])));
  const projects = new Set(features.flatMap(({ name, project }) => (names.has(name) ? project : [])));
  return projects.size === 0 ? [] : listDefaultStrategies(db, { projects: [...projects] });
}

function isSwitchOn(operation: Operation): operation is Operation & { readonly action: 'updateEnabled' } {
  return operation.action === 'updateEnabled' && operation.payload.enabled;
}

/**
 * Returns the current state of the operation's target as JSON, to compare with the state when the change was requested.
 * Null for an operation that does not depend on the current state.
 */
export function baseOf(current: CurrentState, place: Place, operation: Operation): string | null {
  const { environment } = place;
  if (isPlanOperation(operation)) return baseOfPlan(current, environment, operation);
  if (isSwitchOn(operation)) return baseOfSwitchOn(current, place, operation);
  switch (operation.action) {
    case 'addStrategy': {
      const segments = sharedSegments(current, operation);
      return segments.length === 0 ? null : JSON.stringify(segments);
    }
    case 'updateStrategy':
    case 'deleteStrategy': {
      const strategy = current.strategies.find(({ id }) => id === operation.payload.id);
      if (strategy === undefined) return null;
      // A different sort order is no conflict.
      const { sortOrder: _, ...data } = strategyEventData(strategy);
      const sharedSegmentsWanted = sharedSegments(current, operation);
      return JSON.stringify(sharedSegmentsWanted.length === 0 ? data : { ...data, sharedSegmentsWanted });
    }
    case 'reorderStrategy':
      return JSON.stringify(
        current.strategies
          .filter((strategy) => strategy.featureName === operation.feature && strategy.environment === environment)
          .map(({ id }) => id),
      );
    case 'patchVariant':
      return JSON.stringify(
        current.variants.find((list) => list.featureName === operation.feature && list.environment === environment)
          ?.variants ?? [],
      );
    case 'addDependency':
    case 'deleteDependency': {
      const dependency = current.dependencies.find(({ child }) => child === operation.feature);
      return JSON.stringify(dependency === undefined ? null : presentDependency(dependency));
    }
    case 'updateSegment':
    case 'deleteSegment': {
      const segment = current.segments.get(operation.payload.id);
      return segment === undefined ? null : JSON.stringify(segmentEventData(segment));
    }
    default:
      return null;
  }
}

/**
 * Returns the default strategy that a flag without an active strategy gets when it is switched on, with the content of
 * shared segments: default strategies and shared segments can be changed without review. Null when it gets none.
 */
function baseOfSwitchOn(
  current: CurrentState,
  { project, environment }: Place,
  { feature, payload }: Operation & { readonly action: 'updateEnabled' },
): string | null {
  const own = current.strategies.filter(
    (strategy) => strategy.featureName === feature && strategy.environment === environment,
  );
  const usesOwn = payload.shouldActivateDisabledStrategies ? own.length > 0 : own.some(({ disabled }) => !disabled);
  if (usesOwn) return null;
  const found = current.defaultStrategies.find(
    (strategy) => strategy.project === project && strategy.environment === environment,
  );
  if (found === undefined) return JSON.stringify({ defaultStrategy: null });
  const defaultStrategy = presentDefaultStrategy(found);
  return JSON.stringify({ defaultStrategy, segments: contentOfShared(current, found.segments) });
}

/**
 * Returns what reviewers approve with a change of a plan: the milestones of the template, or the milestone that it
 * starts or changes, without the times of its run; the shadow mode, because the milestone is served after its end; and
 * the content of shared segments.
 */
function baseOfPlan(current: CurrentState, environment: string, operation: PlanOperation): string | null {
  const { action, payload } = operation;
  if (action === 'deleteReleasePlan') return null;
  const segments = sharedSegments(current, operation);
  if (action === 'addReleasePlan') {
    const template = current.templates.find(({ id }) => id === payload.templateId);
    return template === undefined && segments.length === 0
      ? null
      : JSON.stringify({ template: template?.milestones ?? null, segments });
  }
  const plan = current.plans.find((each) => each.featureName === operation.feature && each.environment === environment);
  const milestone = plan?.milestones.find(({ id, strategies }) => {
    if (action === 'updateMilestoneStrategy') return strategies.some((strategy) => strategy.id === payload.id);
    return id === ('milestoneId' in payload ? payload.milestoneId : payload.sourceMilestone);
  });
  if (plan === undefined || milestone === undefined) return null;
  const { name, transitionCondition, strategies } = milestone;
  const { shadow } = plan;
  return JSON.stringify({ name, transitionCondition, strategies, segments, ...(shadow && { shadow }) });
}

/** Returns the state that an applied change replaced or deleted; undefined if there was none or it is unknown. */
export function replacedBy({ id, operation, base }: Change): unknown {
  if (base === null || operation.action === 'addStrategy' || isPlanOperation(operation)) return undefined;
  const replaced = baseColumn.parse(base, id);
  // Until the request is applied, the base of a switch-on is the default strategy, which it does not replace.
  if (isSwitchOn(operation)) return Object.hasOwn(replaced as object, 'enabled') ? replaced : undefined;
  if (operation.action !== 'updateStrategy') return replaced;
  // `sharedSegmentsWanted` is stored only to detect conflicts; it is not part of the strategy.
  const { sharedSegmentsWanted: _, ...strategy } = replaced as Record<string, unknown>;
  return strategy;
}

/**
 * Returns the current content of the shared segments that a strategy will use. A shared segment can be changed without
 * review until a reviewed environment uses it, so its content is part of what reviewers approve.
 */
function sharedSegments({ segments, templates }: CurrentState, operation: Operation) {
  const templateId = operation.action === 'addReleasePlan' ? operation.payload.templateId : undefined;
  const template = templates.find(({ id }) => id === templateId);
  const ids = [...requestedSegments(operation), ...(template === undefined ? [] : segmentsOfTemplate(template))];
  return contentOfShared({ segments }, ids);
}

function contentOfShared({ segments }: Pick<CurrentState, 'segments'>, ids: readonly number[]) {
  return ids.flatMap((id) => {
    const segment = segments.get(id);
    return segment?.project === null ? [{ id, name: segment.name, constraints: segment.constraints }] : [];
  });
}

/** Returns the ids of the segments that the strategies of a template use, each once. */
function segmentsOfTemplate({ milestones }: Template): number[] {
  return [...new Set(milestones.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments)))];
}

/** Returns the name of a shared segment of the strategy that has changed since `base` was stored. */
function changedSegment(current: CurrentState, operation: Operation, base: string | null): string | undefined {
  return sharedSegments(current, operation).find((segment) => !(base ?? '').includes(JSON.stringify(segment)))?.name;
}

/** Returns why a flag of the project can no longer be changed; undefined when it can. */
export function conflictOfFlag(current: CurrentState, { project }: Place, name: string): string | undefined {
  const feature = current.features.get(name);
  if (feature?.project !== project) return `The project no longer has a flag ${name}.`;
  return feature.archivedAt === null ? undefined : `The flag ${name} is archived.`;
}

/** Returns why a change can no longer be applied as requested; undefined when there is no conflict. */
export function conflictOf(current: CurrentState, place: Place, { operation, base, at }: Change): string | undefined {
  const flag = flagOf(operation);
  const flagConflict = flag === undefined ? undefined : conflictOfFlag(current, place, flag);
  if (flagConflict !== undefined) return flagConflict;
  if (flag !== undefined && (current.features.get(flag)?.createdAt ?? 0) > at)
    return `The flag ${flag} was deleted, and another one was created with this name since the request was made.`;
  const deleted = requestedSegments(operation).find((id) => !current.segments.has(id));
  if (deleted !== undefined) return `The segment ${deleted} was deleted.`;
  const now = baseOf(current, place, operation);
  if (now === base) return undefined;
  // Null: the flag has a strategy of its own now, or had one when the request was made.
  if (isSwitchOn(operation))
    return now === null || base === null
      ? undefined
      : 'The default strategy of the project, which the flag would get, has changed since the request was made.';
  const changed = changedSegment(current, operation, base);
  if (changed !== undefined)
    return `The segment ${changed} of the requested strategy has changed since the request was made.`;
  switch (operation.action) {
    case 'addReleasePlan':
      return 'The release template has changed since the request was made.';
    case 'startMilestone':
    case 'approveMilestone':
    case 'changeMilestoneProgression':
    case 'deleteMilestoneProgression':
    case 'updateMilestoneStrategy':
      return 'The milestone was changed or removed, or the shadow mode of its plan ended, since the request was made.';
    case 'addStrategy':
      return 'A segment of the requested strategy has changed since the request was made.';
    case 'updateStrategy':
    case 'deleteStrategy':
      return now === null
        ? `The strategy ${operation.payload.id} was deleted.`
        : `The strategy ${operation.payload.id} has changed since the request was made.`;
    case 'reorderStrategy':
      return 'The strategies were reordered, added or deleted since the request was made.';
    case 'patchVariant':
      return 'The variants have changed since the request was made.';
    case 'addDependency':
    case 'deleteDependency':
      return 'The dependencies of the flag have changed since the request was made.';
    case 'updateSegment':
    case 'deleteSegment':
      return now === null
        ? `The segment ${operation.payload.id} was deleted.`
        : `The segment ${operation.payload.id} has changed since the request was made.`;
    default:
      return undefined;
  }
}
