import { isSameJson } from '../../kernel/same-json.ts';
import type { Tx } from '../../storage/tx.ts';
import type { Operation, SentRequest } from '../change-requests/index.ts';
import { requestChanges } from '../change-requests/index.ts';
import type { Strategy } from '../flags/index.ts';
import { type FlagDefinition, type FlagInEnvironment, type FlagPlan, revived } from '../flags/index.ts';
import { childrenFirst } from './apply.ts';
import type { StateLimits } from './options.ts';
import { changesOf, type StatePlan } from './plan.ts';
import { realSegmentIds, type ToRealId } from './segment-ids.ts';

/** An environment in which changes are reviewed. */
export interface ReviewedPlace {
  readonly project: string;
  readonly environment: string;
}

/** The changes of a place that are requested instead of made. */
export interface RequestedPlan extends ReviewedPlace {
  readonly flags: readonly FlagPlan[];
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

/**
 * Divides a plan into the part that is applied at once, and the part that is requested in the given environments:
 * strategies, variants and switches of flags there, and dependencies and archiving of flags in their projects. Changes
 * of release plans, safeguards and segments are not requested, and stay in the direct part.
 */
export async function dividePlan(plan: StatePlan, places: readonly ReviewedPlace[]): Promise<DividedPlan> {
  if (places.length === 0) return { direct: plan, requested: [] };
  const byProject = Map.groupBy(places, ({ project }) => project);
  const requested = [...byProject].flatMap(([project, own]) => {
    const flags = plan.flags.filter(({ after }) => after.feature.project === project);
    return own
      .map(({ environment }) => environment)
      .toSorted()
      .map((environment, index) => ({
        project,
        environment,
        flags: flags.filter((flag) => stateBefore(flag, environment) !== flag.after.environments.get(environment)),
        dependencies: index > 0 ? [] : flags.filter(({ before, after }) => !isSameDependency(before, after)),
        archived: index > 0 ? [] : (plan.archived.get(project) ?? []),
      }));
  });
  const parts = {
    ...plan,
    flags: plan.flags.map((flag) => withoutReviewed(flag, byProject.get(flag.after.feature.project) ?? [])),
    archived: new Map([...plan.archived].filter(([project]) => !byProject.has(project))),
  };
  return {
    direct: { ...parts, changes: await changesOf(parts, plan.segmentNames) },
    requested: requested.filter(
      ({ flags, dependencies, archived }) => flags.length + dependencies.length + archived.length > 0,
    ),
  };
}

/** Sends the requested part of a plan to review, after the direct part has been applied. */
export async function requestReviewed(
  tx: Tx,
  limits: StateLimits,
  { direct, requested }: DividedPlan,
): Promise<SentRequest[]> {
  const toRealId = (await realSegmentIds(tx, direct.segmentNames)) ?? ((id: number) => id);
  const changeLimits = { strategies: limits.flags, segments: limits.segments, review: limits.review };
  const sent: SentRequest[] = [];
  for (const { project, environment, ...part } of requested) {
    const operations = [
      ...part.flags.flatMap((flag) => operationsIn(flag, environment, toRealId)),
      ...part.dependencies.map(({ after }) => dependencyOperation(after)),
      ...(await childrenFirst(tx, part.archived)).map((feature) => ({ action: 'archiveFeature' as const, feature })),
    ];
    if (operations.length > 0)
      sent.push(await requestChanges(tx, changeLimits, { project, environment }, { title, operations }));
  }
  return sent;
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

/** Returns the operations that bring a flag in an environment to its planned state, in an order that keeps it on. */
function operationsIn(flag: FlagPlan, environment: string, toRealId: ToRealId): Operation[] {
  const [from, to] = [stateBefore(flag, environment), flag.after.environments.get(environment) ?? nothing];
  const feature = flag.after.feature.name;
  const present = new Map(from.strategies.map((strategy) => [strategy.id, strategy]));
  const kept = new Set(to.strategies.map(({ id }) => id));
  const payloadOf = (strategy: Strategy) => toPayload(strategy, toRealId);
  return [
    ...to.strategies.flatMap((strategy): Operation[] => {
      const before = present.get(strategy.id);
      if (before === undefined) return [{ action: 'addStrategy', feature, payload: payloadOf(strategy) }];
      if (isSameJson(payloadOf(before), payloadOf(strategy))) return [];
      return [{ action: 'updateStrategy', feature, payload: { id: strategy.id, ...payloadOf(strategy) } }];
    }),
    ...from.strategies
      .filter(({ id }) => !kept.has(id))
      .map(({ id }): Operation => ({ action: 'deleteStrategy', feature, payload: { id } })),
    ...(isSameJson(from.variants, to.variants)
      ? []
      : [{ action: 'patchVariant' as const, feature, payload: { variants: structuredClone(to.variants) as [] } }]),
    ...(from.enabled === to.enabled
      ? []
      : [{ action: 'updateEnabled' as const, feature, payload: { enabled: to.enabled } }]),
  ];
}

function toPayload(strategy: Strategy, toRealId: ToRealId) {
  const { name, title: own, disabled, sortOrder, parameters, constraints, segments, variants } = strategy;
  return structuredClone({
    name,
    title: own,
    disabled,
    sortOrder,
    parameters,
    constraints,
    segments: segments.map(toRealId),
    variants,
  }) as Extract<Operation, { readonly action: 'addStrategy' }>['payload'];
}

function dependencyOperation({ feature: { name: feature }, dependency }: FlagDefinition): Operation {
  if (dependency === undefined) return { action: 'deleteDependency', feature, payload: {} };
  const { parent, enabled, variants } = dependency;
  return { action: 'addDependency', feature, payload: { feature: parent, enabled, variants: [...variants] } };
}
