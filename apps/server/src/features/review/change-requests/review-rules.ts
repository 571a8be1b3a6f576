import {
  type ReviewedEnvironment,
  type ReviewedUse,
  type ReviewPolicy,
  reviewedEnvironments,
  reviewedUses,
  secondPersonProblem,
} from '#features/flags/change-control/index.ts';
import type { Author } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { permissionCheckOf } from './actor-permissions.ts';
import type { Place } from './apply.ts';
import { affectsAllEnvironments, type Change, type Operation, permissionsOf, segmentOf } from './change.ts';
import { approvalsOf, type ChangeRequest } from './request.ts';

type RequestedChanges = Place & { readonly changes: readonly Pick<Change, 'operation'>[] };
type Can = NonNullable<Author['can']>;

/** The reviewed environments that decide how many approvals the given requests need, and from whom. */
export interface ReviewRules {
  /** The reviewed environments of the projects of the requests. */
  readonly own: readonly ReviewedEnvironment[];
  /** The reviewed environments, of any project, that use the segments which the requests change. */
  readonly uses: readonly ReviewedUse[];
}

/** Reads the review rules for these requests, with at most two statements. */
export async function readReviewRules(db: Db, requests: readonly RequestedChanges[]): Promise<ReviewRules> {
  const segments = requests.flatMap(({ changes }) => changes.flatMap(({ operation }) => segmentOf(operation) ?? []));
  const [own, uses] = await Promise.all([
    reviewedEnvironments(db, [...new Set(requests.map(({ project }) => project))]),
    reviewedUses(db, [...new Set(segments)]),
  ]);
  return { own, uses };
}

/**
 * Returns the reviewed environments that a request affects: environments of its own project, and of other projects
 * whose flags use a segment that the request changes.
 */
function affectedEnvironments({ own, uses }: ReviewRules, request: RequestedChanges): ReviewedEnvironment[] {
  const { project, environment, changes } = request;
  const affectsAll = changes.some(({ operation }) => affectsAllEnvironments(operation));
  return [
    ...own.filter((reviewed) => reviewed.project === project && (affectsAll || reviewed.environment === environment)),
    ...usesInOtherProjects(uses, request),
  ];
}

/** Returns the reviewed environments of other projects that use a segment which the request changes. */
function usesInOtherProjects(
  uses: readonly ReviewedUse[],
  { project, changes }: RequestedChanges,
): readonly ReviewedUse[] {
  const segments = new Set(changes.map(({ operation }) => segmentOf(operation)));
  return uses.filter((use) => use.project !== project && segments.has(use.segmentId));
}

/** Returns how many approvals a request needs: the highest number that an affected environment requires. */
export function requiredApprovals(rules: ReviewRules, request: RequestedChanges): number {
  return Math.max(0, ...affectedEnvironments(rules, request).map((reviewed) => reviewed.requiredApprovals));
}

export function isApproved(rules: ReviewRules, request: ChangeRequest): boolean {
  return approvalsOf(request).length >= requiredApprovals(rules, request);
}

/** Returns whether `can` allows approving the request. Does not check that the approver is not the author. */
export function mayApprove(rules: ReviewRules, request: RequestedChanges, can: Can): boolean {
  return (
    missingPermissionIn(request, affectedEnvironments(rules, request), 'APPROVE_CHANGE_REQUEST', can) === undefined
  );
}

/**
 * Returns why a request lacks approvals, or undefined when it has enough. Of a request that changes a segment used by
 * other projects, an approval counts only if its author may approve in every reviewed environment that uses the segment
 * now. Where review is binding, an approval counts only if it is by a second person.
 */
export async function approvalProblem(
  tx: Pick<Tx, 'db' | 'now'>,
  rules: ReviewRules,
  request: ChangeRequest,
  policy: ReviewPolicy,
): Promise<string | undefined> {
  return (await approvalsByOthers(tx, rules, request, policy)) ?? approvalsElsewhere(tx, rules, request);
}

async function approvalsByOthers(
  { db }: Pick<Tx, 'db'>,
  rules: ReviewRules,
  request: ChangeRequest,
  { binding }: ReviewPolicy,
): Promise<string | undefined> {
  if (!binding) return undefined;
  const found = await Promise.all(approvalsOf(request).map(({ by, at }) => secondPersonProblem(db, by, request, at)));
  const problems = found.filter((problem) => problem !== undefined);
  const counting = found.length - problems.length;
  const required = requiredApprovals(rules, request);
  if (counting >= required) return undefined;
  return `${countedOf(counting, required)} ${problems.join(' ')} ${howToCollect}`;
}

async function approvalsElsewhere(
  tx: Pick<Tx, 'db' | 'now'>,
  rules: ReviewRules,
  request: ChangeRequest,
): Promise<string | undefined> {
  if (usesInOtherProjects(rules.uses, request).length === 0) return undefined;
  const cans = await Promise.all(approvalsOf(request).map(({ by }) => permissionCheckOf(tx, by)));
  const counting = cans.filter((can) => can !== undefined && mayApprove(rules, request, can)).length;
  const required = requiredApprovals(rules, request);
  if (counting >= required) return undefined;
  return `${countedOf(counting, required)} An approval counts only when its author may approve in every environment that uses the segment and requires review. ${howToCollect}`;
}

const howToCollect = 'To collect new approvals, edit a change of the request.';

function countedOf(counting: number, required: number): string {
  return `Only ${counting} of the ${required} required approvals count.`;
}

/** Rejects with 403 unless {@link mayApprove}. */
export function requireMayApprove(rules: ReviewRules, request: RequestedChanges, can: Can): void {
  // When the request affects no reviewed environment, check the permission in its own environment.
  const own = { project: request.project, environment: request.environment };
  const places = affectedEnvironments(rules, request);
  throwIfMissing(missingPermissionIn(request, places.length === 0 ? [own] : places, 'APPROVE_CHANGE_REQUEST', can));
}

/**
 * Returns the permission that is missing to apply a request: APPLY_CHANGE_REQUEST in every affected reviewed
 * environment, and the direct permission of each change that is not reviewed or affects all environments. Permissions
 * for segments are checked when the segment is changed.
 */
export function missingPermissionToApply(
  rules: ReviewRules,
  request: RequestedChanges,
  can: Can,
): MissingPermission | undefined {
  const places = affectedEnvironments(rules, request);
  const missing = missingPermissionIn(request, places, 'APPLY_CHANGE_REQUEST', can);
  if (missing !== undefined) return missing;
  const isReviewed = places.some(
    ({ project, environment }) => project === request.project && environment === request.environment,
  );
  return missingForChanges(request, (operation) => !isReviewed || affectsAllEnvironments(operation), can);
}

/** Rejects with 403 when {@link missingPermissionToApply} finds a missing permission. */
export function requireMayApply(rules: ReviewRules, request: RequestedChanges, can: Can): void {
  throwIfMissing(missingPermissionToApply(rules, request, can));
}

/**
 * Rejects with 403 unless the caller may request these changes. Each user who sees the project may request a reviewed
 * change of one environment; any other change requires the permission to make it directly.
 */
export function requireMayRequest(rules: ReviewRules, request: RequestedChanges, can: Can): void {
  const { project, environment } = request;
  const isReviewed = rules.own.some((reviewed) => reviewed.project === project && reviewed.environment === environment);
  throwIfMissing(missingForChanges(request, (operation) => !isReviewed || affectsAllEnvironments(operation), can));
}

export interface MissingPermission {
  readonly permission: string;
  readonly environment: string;
  /** True when the permission is missing in another project, whose name is not shown because it may be hidden. */
  readonly inOtherProject: boolean;
}

function missingPermissionIn(
  { project: own }: Place,
  places: readonly Place[],
  permission: string,
  can: Can,
): MissingPermission | undefined {
  const place = places.find(({ project, environment }) => !can(permission, { project, environment }));
  return place && { permission, environment: place.environment, inOtherProject: place.project !== own };
}

function missingForChanges(
  { project, environment, changes }: RequestedChanges,
  needsPermission: (operation: Operation) => boolean,
  can: Can,
): MissingPermission | undefined {
  const permissions = changes
    .filter(({ operation }) => segmentOf(operation) === undefined && needsPermission(operation))
    .flatMap(({ operation }) => permissionsOf(operation));
  const permission = permissions.find((needed) => !can(needed, { project, environment }));
  return permission && { permission, environment, inOtherProject: false };
}

/** Returns the place of a missing permission as a part of a sentence. */
export function describePlace({ environment, inOtherProject }: MissingPermission): string {
  return inOtherProject
    ? `every reviewed environment that uses the segment, including ${environment} of another project,`
    : environment;
}

function throwIfMissing(missing: MissingPermission | undefined): void {
  if (missing === undefined) return;
  const { permission } = missing;
  const message = `You need the permission ${permission} in ${describePlace(missing)} to do this.`;
  throw new Problem('PermissionError', message, { details: [{ message }], extras: { permissions: [permission] } });
}
