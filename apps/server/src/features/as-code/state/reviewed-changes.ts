import { reviewedUses } from '#features/flags/change-control/index.ts';
import {
  type FlagDefinition,
  type FlagInEnvironment,
  type FlagPlan,
  revived,
} from '#features/flags/definitions/index.ts';
import type { Strategy } from '#features/flags/strategies/index.ts';
import type { Operation as RequestedOperation, SentRequest } from '#features/review/change-requests/index.ts';
import { requestChanges } from '#features/review/change-requests/index.ts';
import { isSameJson } from '#kernel/same-json.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { childrenFirst } from './apply.ts';
import type { PlanOperation } from './milestones.ts';
import type { Operation } from './operations.ts';
import { changeLimits, type StateLimits } from './options.ts';
import { strategyPayload } from './payloads.ts';
import { changesOf, type StatePlan } from './plan.ts';
import { realSegmentIds, type ToRealId } from './segment-ids.ts';

/** An environment in which changes are reviewed. */
export interface ReviewedPlace {
  readonly project: string;
  readonly environment: string;
}

/** The changes of a place that are requested instead of made. */
export interface RequestedPlan extends ReviewedPlace {
  /** Changes of segments; of a project's segments in the first reviewed environment of the project. */
  readonly segments: readonly Operation[];
  readonly flags: readonly FlagPlan[];
  readonly releasePlans: readonly PlanOperation[];
  /** Flags whose dependencies change; in the first reviewed environment of their project. */
  readonly dependencies: readonly FlagPlan[];
  /** Flags to archive; in the first reviewed environment of their project. */
  readonly archived: readonly string[];
}

/** A plan in two parts. */
export interface DividedPlan {
  /** The part that is applied at once. */
  readonly direct: StatePlan;
  /** The part that is requested, by environment. */
  readonly requested: readonly RequestedPlan[];
}

/** The title of the change requests of a state, by which a later apply finds them. */
const title = 'State as code';

/** The maximum number of changes that one apply requests: all are tried in its transaction. */
export const maxRequestedChanges = 1000;

/**
 * Divides a plan into the part that is applied at once, and the part that is requested in the given environments:
 * strategies, variants, switches, release plans and safeguards of flags there, dependencies and archiving of flags in
 * their projects, and segments of their projects, or that strategies there use. One statement for a plan with changes
 * of segments.
 */
export async function dividePlan(db: Db, plan: StatePlan, places: readonly ReviewedPlace[]): Promise<DividedPlan> {
  if (places.length === 0) return { direct: plan, requested: [] };
  const byProject = Map.groupBy(places.toSorted(byName), ({ project }) => project);
  const segments = await segmentsByPlace(db, plan.operations, [...byProject.values()].flat());
  const isRequested = ({ place }: PlanOperation) => byProject.get(place.project)?.some(isSamePlace(place)) === true;
  const requested = [...byProject].flatMap(([project, own]) => {
    const flags = plan.flags.filter(({ after }) => after.feature.project === project);
    return own.map((reviewed, index) => {
      const { environment } = reviewed;
      return {
        project,
        environment,
        segments: segments.get(reviewed) ?? [],
        flags: flags.filter((flag) => stateBefore(flag, environment) !== flag.after.environments.get(environment)),
        releasePlans: plan.releasePlans.filter(({ place }) => isSamePlace(place)(reviewed)),
        dependencies: index > 0 ? [] : flags.filter(({ before, after }) => !isSameDependency(before, after)),
        archived: index > 0 ? [] : (plan.archived.get(project) ?? []),
      };
    });
  });
  const requestedSegments = new Set([...segments.values()].flat());
  const parts = {
    ...plan,
    operations: plan.operations.filter((operation) => !requestedSegments.has(operation)),
    flags: plan.flags.map((flag) => withoutReviewed(flag, byProject.get(flag.after.feature.project) ?? [])),
    releasePlans: plan.releasePlans.filter((operation) => !isRequested(operation)),
    archived: new Map([...plan.archived].filter(([project]) => !byProject.has(project))),
  };
  return {
    direct: { ...parts, changes: await changesOf(parts, plan.segmentNames) },
    requested: requested.filter((part) => countIn(part) > 0),
  };
}

/** Returns how many changes a divided plan requests. */
export function countRequested({ requested }: Pick<DividedPlan, 'requested'>): number {
  return requested.reduce((sum, part) => sum + countIn(part), 0);
}

function countIn(part: RequestedPlan): number {
  return operationsOf(part, (id) => id).length + part.archived.length;
}

/** Sends the requested part of a plan to review, after the direct part has been applied. */
export async function requestReviewed(
  tx: Tx,
  limits: StateLimits,
  { direct, requested }: DividedPlan,
): Promise<SentRequest[]> {
  const toRealId = (await realSegmentIds(tx, direct.segmentNames)) ?? ((id: number) => id);
  const sent: SentRequest[] = [];
  for (const part of requested) {
    const { project, environment, archived } = part;
    const operations = [
      ...operationsOf(part, toRealId),
      ...(await childrenFirst(tx, archived)).map((feature) => ({ action: 'archiveFeature' as const, feature })),
    ];
    const place = { project, environment };
    sent.push(...(await requestChanges(tx, changeLimits(limits), place, { title, operations })));
  }
  return sent;
}

/**
 * Returns the changes of segments that can be requested in the places, each in the first place of its project, or that
 * uses the segment of all projects.
 */
async function segmentsByPlace(
  db: Db,
  operations: readonly Operation[],
  places: readonly ReviewedPlace[],
): Promise<ReadonlyMap<ReviewedPlace, readonly Operation[]>> {
  const requestable = operations.flatMap((operation) =>
    operation.request === undefined ? [] : [{ operation, segment: operation.request.segment }],
  );
  const shared = requestable.flatMap(({ segment: { id, project } }) => (project === null ? [id] : []));
  const uses = Map.groupBy(await reviewedUses(db, shared), ({ segmentId }) => segmentId);
  const found = new Map<ReviewedPlace, Operation[]>();
  for (const { operation, segment } of requestable) {
    const place = places.find((each) =>
      segment.project === null ? uses.get(segment.id)?.some(isSamePlace(each)) : segment.project === each.project,
    );
    if (place !== undefined) found.set(place, [...(found.get(place) ?? []), operation]);
  }
  return found;
}

function byName(a: ReviewedPlace, b: ReviewedPlace): number {
  return a.project === b.project ? compare(a.environment, b.environment) : compare(a.project, b.project);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isSamePlace({ project, environment }: ReviewedPlace) {
  return (other: ReviewedPlace) => other.project === project && other.environment === environment;
}

/** Returns the operations of a place, without the archiving. */
function operationsOf(
  { environment, segments, flags, releasePlans, dependencies }: RequestedPlan,
  toRealId: ToRealId,
): RequestedOperation[] {
  const ofPlans = Map.groupBy(releasePlans, ({ place }) => place.featureName);
  const planned = new Set(flags.map(({ after }) => after.feature.name));
  const planOperations = (name: string) => (ofPlans.get(name) ?? []).flatMap(({ operations }) => operations(toRealId));
  return [
    ...segments.flatMap(({ request }) => request?.operation ?? []),
    ...flags.flatMap((flag) => operationsIn(flag, environment, toRealId, planOperations(flag.after.feature.name))),
    ...[...ofPlans.keys()].flatMap((name) => (planned.has(name) ? [] : planOperations(name))),
    ...dependencies.map(({ after }) => dependencyOperation(after)),
  ];
}

const nothing: FlagInEnvironment = { enabled: false, strategies: [], variants: [] };

function stateBefore({ before }: FlagPlan, environment: string): FlagInEnvironment {
  return (before === undefined ? undefined : revived(before).environments.get(environment)) ?? nothing;
}

function isSameDependency(before: FlagDefinition | undefined, after: FlagDefinition): boolean {
  return isSameJson(before?.dependency ?? null, after.dependency ?? null);
}

/** Returns the plan of a flag without what is requested in the places. */
function withoutReviewed(flag: FlagPlan, places: readonly ReviewedPlace[]): FlagPlan {
  if (places.length === 0) return flag;
  const { before, after } = flag;
  const environments = new Map(after.environments);
  for (const { environment } of places)
    if (environments.has(environment)) environments.set(environment, stateBefore(flag, environment));
  return { before, after: { ...after, dependency: before?.dependency, environments } };
}

/**
 * Returns the operations that bring a flag in an environment to its planned state, in an order that keeps it on. A
 * release plan is added before strategies are removed and the flag is switched on, and removed after strategies are
 * added: a flag without an active strategy is switched off, or gets the default strategy.
 */
function operationsIn(
  flag: FlagPlan,
  environment: string,
  toRealId: ToRealId,
  ofPlan: readonly RequestedOperation[],
): RequestedOperation[] {
  const [from, to] = [stateBefore(flag, environment), flag.after.environments.get(environment) ?? nothing];
  const feature = flag.after.feature.name;
  const present = new Map(from.strategies.map((strategy) => [strategy.id, strategy]));
  const kept = new Set(to.strategies.map(({ id }) => id));
  const payloadOf = (strategy: Strategy) => ({
    ...strategyPayload(strategy, toRealId),
    sortOrder: strategy.sortOrder,
  });
  return [
    ...to.strategies.flatMap((strategy): RequestedOperation[] => {
      const before = present.get(strategy.id);
      if (before === undefined) return [{ action: 'addStrategy', feature, payload: payloadOf(strategy) }];
      if (isSameJson(payloadOf(before), payloadOf(strategy))) return [];
      return [{ action: 'updateStrategy', feature, payload: { id: strategy.id, ...payloadOf(strategy) } }];
    }),
    ...ofPlan,
    ...from.strategies
      .filter(({ id }) => !kept.has(id))
      .map(({ id }): RequestedOperation => ({ action: 'deleteStrategy', feature, payload: { id } })),
    ...(isSameJson(from.variants, to.variants)
      ? []
      : [{ action: 'patchVariant' as const, feature, payload: { variants: structuredClone(to.variants) as [] } }]),
    ...(from.enabled === to.enabled
      ? []
      : [{ action: 'updateEnabled' as const, feature, payload: { enabled: to.enabled } }]),
  ];
}

function dependencyOperation({ feature: { name: feature }, dependency }: FlagDefinition): RequestedOperation {
  if (dependency === undefined) return { action: 'deleteDependency', feature, payload: {} };
  const { parent, enabled, variants } = dependency;
  return { action: 'addDependency', feature, payload: { feature: parent, enabled, variants: [...variants] } };
}
