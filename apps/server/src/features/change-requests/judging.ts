import type { Author } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import type { ReviewedEnvironment } from '../change-control/index.ts';
import type { Place } from './apply.ts';
import { type Change, type Doing, isWide, permissionOf, segmentOf } from './change.ts';
import { approvalsOf, type ChangeRequest } from './request.ts';

type Asked = Place & { readonly changes: readonly Pick<Change, 'doing'>[] };
type Can = NonNullable<Author['can']>;

/** Those of the environments in which changes are reviewed that a request would be felt in. */
function concerned(reviewed: readonly ReviewedEnvironment[], { project, environment, changes }: Asked) {
  const wide = changes.some(({ doing }) => isWide(doing));
  return reviewed.filter((one) => one.project === project && (wide || one.environment === environment));
}

/** How many must approve a request: what the strictest of the environments asks for in which it would be felt. */
export function requiredApprovals(reviewed: readonly ReviewedEnvironment[], request: Asked): number {
  return Math.max(0, ...concerned(reviewed, request).map((one) => one.requiredApprovals));
}

export function isApproved(reviewed: readonly ReviewedEnvironment[], request: ChangeRequest): boolean {
  return approvalsOf(request).length >= requiredApprovals(reviewed, request);
}

/** Whether somebody may approve a request, apart from it being their own. */
export function mayApprove(reviewed: readonly ReviewedEnvironment[], request: Asked, can: Can): boolean {
  return missingIn(concerned(reviewed, request), 'APPROVE_CHANGE_REQUEST', can) === undefined;
}

/** A 403 unless {@link mayApprove}. */
export function requireMayApprove(reviewed: readonly ReviewedEnvironment[], request: Asked, can: Can): void {
  // Where nothing is reviewed it is asked for in the environment of the request.
  const own = { project: request.project, environment: request.environment };
  const places = concerned(reviewed, request);
  refuse(missingIn(places.length === 0 ? [own] : places, 'APPROVE_CHANGE_REQUEST', can));
}

/**
 * What somebody lacks who would apply a request: APPLY_CHANGE_REQUEST wherever it is reviewed, and the permission of each change
 * that is not reviewed, or that is felt beyond its environment. Segments are asked about when they are changed.
 */
export function missingToApply(
  reviewed: readonly ReviewedEnvironment[],
  request: Asked,
  can: Can,
): Missing | undefined {
  const places = concerned(reviewed, request);
  const missing = missingIn(places, 'APPLY_CHANGE_REQUEST', can);
  if (missing !== undefined) return missing;
  const isReviewed = places.some(({ environment }) => environment === request.environment);
  return missingOf(request, (doing) => !isReviewed || isWide(doing), can);
}

/** A 403 when there is something that {@link missingToApply} tells of. */
export function requireMayApply(reviewed: readonly ReviewedEnvironment[], request: Asked, can: Can): void {
  refuse(missingToApply(reviewed, request, can));
}

/**
 * A 403 unless somebody may ask for these changes. Everybody who sees a project may ask for what is reviewed and felt in one
 * environment only; other changes are asked for by who may make them.
 */
export function requireMayAsk(reviewed: readonly ReviewedEnvironment[], request: Asked, can: Can): void {
  const { project, environment } = request;
  const isReviewed = reviewed.some((one) => one.project === project && one.environment === environment);
  refuse(missingOf(request, (doing) => !isReviewed || isWide(doing), can));
}

export interface Missing {
  readonly permission: string;
  readonly environment: string;
}

function missingIn(places: readonly Place[], permission: string, can: Can): Missing | undefined {
  const place = places.find(({ project, environment }) => !can(permission, { project, environment }));
  return place && { permission, environment: place.environment };
}

function missingOf(
  { project, environment, changes }: Asked,
  asksFor: (doing: Doing) => boolean,
  can: Can,
): Missing | undefined {
  const permissions = changes
    .filter(({ doing }) => segmentOf(doing) === undefined && asksFor(doing))
    .map(({ doing }) => permissionOf(doing));
  const permission = permissions.find((one) => !can(one, { project, environment }));
  return permission && { permission, environment };
}

function refuse(missing: Missing | undefined): void {
  if (missing === undefined) return;
  const { permission, environment } = missing;
  const message = `You need the permission ${permission} in ${environment} to do this.`;
  throw new Problem('PermissionError', message, { details: [{ message }], extras: { permissions: [permission] } });
}
