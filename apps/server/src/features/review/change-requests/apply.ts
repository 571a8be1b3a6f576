import { notAPerson, type ReviewPolicy, reviewedIn } from '#features/flags/change-control/index.ts';
import { addDependency, removeDependencies, removeDependency } from '#features/flags/dependencies/index.ts';
import { archiveFeatures, setFeatureEnabled } from '#features/flags/flags/index.ts';
import {
  deleteSegment,
  findSegments,
  type RequireMayChange,
  type SegmentLimits,
  updateSegment,
} from '#features/flags/segments/index.ts';
import {
  addStrategy,
  changeStrategy,
  deleteStrategy,
  orderStrategies,
  type StrategyLimits,
} from '#features/flags/strategies/index.ts';
import { changeVariants } from '#features/flags/variants/index.ts';
import * as plans from '#features/releases/release-plans/index.ts';
import { removeSafeguard, setSafeguard } from '#features/releases/safeguards/index.ts';
import type { Author } from '#kernel/actor.ts';
import { badField, Problem } from '#kernel/errors.ts';
import type { Writer } from '#storage/commit/write.ts';
import type { Tx } from '#storage/tx.ts';
import {
  isPlanOperation,
  isSafeguardOperation,
  type Operation,
  type PlanOperation,
  permissionOf,
  type SafeguardOperation,
} from './change.ts';

export interface ChangeLimits {
  readonly strategies: StrategyLimits;
  readonly segments: SegmentLimits;
  readonly review: ReviewPolicy;
  /** True when the changes are rolled back. Another account may apply them, so roles of the author are not checked. */
  readonly isTrial?: boolean;
}

export interface Place {
  readonly project: string;
  readonly environment: string;
}

/**
 * Applies operations in order. The error of an invalid operation has the path in the request body, such as
 * `changes.0.payload.id`; `list` is the beginning of the path. The error of a single operation is not changed.
 */
export async function applyChanges(
  tx: Tx,
  limits: ChangeLimits,
  place: Place,
  operations: readonly Operation[],
  list: '' | 'changes.',
): Promise<void> {
  for (const [index, operation] of operations.entries()) {
    await applyChange(tx, limits, place, operation).catch((error: unknown) => {
      if (operations.length === 1 || !(error instanceof Problem)) throw error;
      const { name, message, details, extras, headers } = error;
      const path = `${list}${index}`;
      throw new Problem(name, message, {
        details: (details ?? [{ message }]).map((detail) => ({
          ...detail,
          path: detail.path === undefined ? path : `${path}.payload.${detail.path}`,
        })),
        extras,
        headers,
        cause: error,
      });
    });
  }
}

/** Calls the same command as the direct route, so that the errors and events are the same. */
async function applyChange(
  tx: Tx,
  limits: ChangeLimits,
  { project, environment }: Place,
  operation: Operation,
): Promise<void> {
  if (operation.action === 'updateSegment' || operation.action === 'deleteSegment') {
    return applyToSegment(tx, limits.segments, project, operation);
  }
  if (isPlanOperation(operation)) return applyToPlan(tx, limits, { project, environment }, operation);
  if (isSafeguardOperation(operation)) return applyToSafeguard(tx, { project, environment }, operation);
  const flag = { project, featureName: operation.feature };
  const place = { ...flag, environment };
  switch (operation.action) {
    case 'updateEnabled': {
      const { enabled, shouldActivateDisabledStrategies: activateDisabledStrategies } = operation.payload;
      return setFeatureEnabled(tx, { ...place, enabled, activateDisabledStrategies });
    }
    case 'addStrategy':
      await addStrategy(tx, limits.strategies, place, operation.payload);
      return;
    case 'updateStrategy': {
      const { id, ...input } = operation.payload;
      await changeStrategy(tx, limits.strategies, { ...place, id }, () => input);
      return;
    }
    case 'deleteStrategy':
      return deleteStrategy(tx, { ...place, id: operation.payload.id });
    case 'reorderStrategy':
      return orderStrategies(tx, place, operation.payload);
    case 'patchVariant': {
      const { variants } = operation.payload;
      return changeVariants(tx, { ...flag, environments: [environment] }, 'variants', () => variants);
    }
    case 'archiveFeature':
      return archiveFeatures(tx, { project, featureNames: [operation.feature] });
    case 'addDependency':
      return addDependency(tx, flag, operation.payload);
    case 'deleteDependency': {
      const parent = operation.payload?.feature;
      return parent === undefined ? removeDependencies(tx, flag) : removeDependency(tx, flag, parent);
    }
  }
}

async function applyToPlan(
  tx: Tx,
  { strategies: limits, isTrial, review }: ChangeLimits,
  { project, environment }: Place,
  operation: PlanOperation,
): Promise<void> {
  const place = { project, featureName: operation.feature, environment };
  switch (operation.action) {
    case 'addReleasePlan': {
      const { safeguards = [], ...body } = operation.payload;
      const { id: planId } = await plans.addPlan(tx, limits, place, body);
      for (const safeguard of safeguards) await setSafeguard(tx, { ...place, planId }, safeguard);
      return;
    }
    case 'deleteReleasePlan': {
      const { strategies, planId } = operation.payload;
      return plans.removePlan(tx, limits, { ...place, planId }, strategies);
    }
    case 'startMilestone':
      await plans.startMilestone(
        tx,
        limits,
        { ...place, ...operation.payload },
        { ...operation.payload, endsShadow: operation.payload.shadow === false },
      );
      return;
    case 'approveMilestone':
      if (!isTrial && review.binding) await requirePerson(tx, place);
      await plans.approveMilestone(tx, { ...place, ...operation.payload }, { isTrial });
      return;
    case 'changeMilestoneProgression': {
      const { sourceMilestone: milestoneId, transitionCondition, targetMilestone } = operation.payload;
      await plans.setProgression(tx, { ...place, milestoneId }, transitionCondition, targetMilestone);
      return;
    }
    case 'deleteMilestoneProgression':
      await plans.setProgression(tx, { ...place, milestoneId: operation.payload.sourceMilestone }, null);
      return;
    case 'updateMilestoneStrategy': {
      const { id: strategyId, ...input } = operation.payload;
      await plans.changeMilestoneStrategy(tx, limits, { ...place, strategyId }, input);
    }
  }
}

/** Rejects with 403 when changes in the place are reviewed and the actor is not a user. */
async function requirePerson(tx: Tx, { project, environment }: Place): Promise<void> {
  if (!(await reviewedIn(tx.db, project)).has(environment)) return;
  const problem = await notAPerson(tx.db, tx.by.actor);
  if (problem !== undefined) throw new Problem('OperationDeniedError', problem);
}

async function applyToSafeguard(tx: Tx, { project, environment }: Place, operation: SafeguardOperation): Promise<void> {
  const { feature: featureName, payload } = operation;
  const place = { project, featureName, environment, planId: payload.planId ?? null };
  if (operation.action === 'changeSafeguard') await setSafeguard(tx, place, operation.payload);
  else await removeSafeguard(tx, place, operation.payload.safeguardId);
}

type SegmentOperation = Extract<Operation, { readonly action: 'updateSegment' | 'deleteSegment' }>;

async function applyToSegment(
  tx: Tx,
  limits: SegmentLimits,
  project: string,
  operation: SegmentOperation,
): Promise<void> {
  const { id } = operation.payload;
  const [segment] = await findSegments(tx.db, [id]);
  // The caller must not learn whether a segment of another project exists.
  if (segment === undefined || (segment.project !== null && segment.project !== project)) {
    throw new Problem('NotFoundError', `The project ${project} has no segment ${id}.`);
  }
  const mayChange = mayChangeSegment(tx.by, operation);
  if (operation.action === 'deleteSegment') return deleteSegment(tx, id, mayChange);
  return updateSegment(tx, limits, id, operation.payload, mayChange);
}

/** The check of the direct route: UPDATE_PROJECT_SEGMENT is enough for a segment of a project. */
function mayChangeSegment({ can = () => false, hidden }: Author, operation: Operation): RequireMayChange {
  const permission = permissionOf(operation);
  return (project) => {
    // The same answer as for a project that does not exist.
    if (project !== null && hidden?.has(project))
      throw badField('project', `must be the id of a project, not ${project}`);
    const scope = project === null ? {} : { project };
    const needed = project === null ? [permission] : [permission, 'UPDATE_PROJECT_SEGMENT'];
    if (needed.some((permitted) => can(permitted, scope))) return;
    const message = `You need the permission ${needed.join(' or ')} to do this.`;
    throw new Problem('PermissionError', message, { details: [{ message }], extras: { permissions: needed } });
  };
}

/** Thrown to roll back a dry run; carries its result. */
class DryRunRollback<T> extends Error {
  readonly value: T;

  constructor(value: T) {
    super('rollback of a dry run');
    this.value = value;
  }
}

/** Runs `work` in a transaction, rolls it back and returns the result. Rejects as `work` does. */
export async function dryRun<T>(write: Writer['write'], by: Author, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await write(by, async (tx) => {
      throw new DryRunRollback(await work(tx));
    });
  } catch (error) {
    if (error instanceof DryRunRollback) return error.value as T;
    throw error;
  }
}
