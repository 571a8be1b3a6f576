import type { Author } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Db } from '../../storage/tx.ts';
import {
  type ReviewedEnvironment,
  type ReviewedUse,
  reviewedEnvironments,
  reviewedUses,
} from '../change-control/index.ts';
import { canOfActor } from './acting.ts';
import type { Place } from './apply.ts';
import { type Change, type Doing, isWide, permissionOf, segmentOf } from './change.ts';
import { approvalsOf, type ChangeRequest } from './request.ts';

type Asked = Place & { readonly changes: readonly Pick<Change, 'doing'>[] };
type Can = NonNullable<Author['can']>;

/** Where changes are reviewed: what requests are judged by. */
export interface Reviewed {
  /** The reviewed environments of the projects of the requests. */
  readonly own: readonly ReviewedEnvironment[];
  /** The reviewed environments, of any project, that use the segments which the requests change. */
  readonly uses: readonly ReviewedUse[];
}

/** Reads where these requests are reviewed. Two statements at most, however many requests there are. */
export async function reviewOf(db: Db, requests: readonly Asked[]): Promise<Reviewed> {
  const segments = requests.flatMap(({ changes }) => changes.flatMap(({ doing }) => segmentOf(doing) ?? []));
  const [own, uses] = await Promise.all([
    reviewedEnvironments(db, [...new Set(requests.map(({ project }) => project))]),
    reviewedUses(db, [...new Set(segments)]),
  ]);
  return { own, uses };
}

/**
 * The reviewed environments that a request would be felt in: of its own project, and of every other project whose flags
 * use a segment that it changes.
 */
function concerned({ own, uses }: Reviewed, request: Asked): ReviewedEnvironment[] {
  const { project, environment, changes } = request;
  const wide = changes.some(({ doing }) => isWide(doing));
  return [
    ...own.filter((one) => one.project === project && (wide || one.environment === environment)),
    ...elsewhere(uses, request),
  ];
}

/** The reviewed environments of other projects that use a segment which a request changes. */
function elsewhere(uses: readonly ReviewedUse[], { project, changes }: Asked): readonly ReviewedUse[] {
  const segments = new Set(changes.map(({ doing }) => segmentOf(doing)));
  return uses.filter((use) => use.project !== project && segments.has(use.segmentId));
}

/** How many must approve a request: what the strictest of the environments asks for in which it would be felt. */
export function requiredApprovals(reviewed: Reviewed, request: Asked): number {
  return Math.max(0, ...concerned(reviewed, request).map((one) => one.requiredApprovals));
}

export function isApproved(reviewed: Reviewed, request: ChangeRequest): boolean {
  return approvalsOf(request).length >= requiredApprovals(reviewed, request);
}

/** Whether somebody may approve a request, apart from it being their own. */
export function mayApprove(reviewed: Reviewed, request: Asked, can: Can): boolean {
  return missingIn(request, concerned(reviewed, request), 'APPROVE_CHANGE_REQUEST', can) === undefined;
}

/**
 * Says how many approvals a request lacks that changes a segment which other projects use: an approval counts when who
 * gave it may approve in every reviewed environment that uses the segment now. Undefined when enough approvals count.
 */
export async function missingApprovals(
  db: Db,
  reviewed: Reviewed,
  request: ChangeRequest,
): Promise<string | undefined> {
  if (elsewhere(reviewed.uses, request).length === 0) return undefined;
  const cans = await Promise.all(approvalsOf(request).map(({ by }) => canOfActor(db, by)));
  const counting = cans.filter((can) => can !== undefined && mayApprove(reviewed, request, can)).length;
  const required = requiredApprovals(reviewed, request);
  if (counting >= required) return undefined;
  return `It has ${counting} of ${required} approvals that count in every reviewed environment which uses the segment now. Edit the change to have it reviewed again.`;
}

/** A 403 unless {@link mayApprove}. */
export function requireMayApprove(reviewed: Reviewed, request: Asked, can: Can): void {
  // Where nothing is reviewed it is asked for in the environment of the request.
  const own = { project: request.project, environment: request.environment };
  const places = concerned(reviewed, request);
  refuse(missingIn(request, places.length === 0 ? [own] : places, 'APPROVE_CHANGE_REQUEST', can));
}

/**
 * What somebody lacks who would apply a request: APPLY_CHANGE_REQUEST wherever it is reviewed, and the permission of each change
 * that is not reviewed, or that is felt beyond its environment. Segments are asked about when they are changed.
 */
export function missingToApply(reviewed: Reviewed, request: Asked, can: Can): Missing | undefined {
  const places = concerned(reviewed, request);
  const missing = missingIn(request, places, 'APPLY_CHANGE_REQUEST', can);
  if (missing !== undefined) return missing;
  const isReviewed = places.some(
    ({ project, environment }) => project === request.project && environment === request.environment,
  );
  return missingOf(request, (doing) => !isReviewed || isWide(doing), can);
}

/** A 403 when there is something that {@link missingToApply} tells of. */
export function requireMayApply(reviewed: Reviewed, request: Asked, can: Can): void {
  refuse(missingToApply(reviewed, request, can));
}

/**
 * A 403 unless somebody may ask for these changes. Everybody who sees a project may ask for what is reviewed and felt in one
 * environment only; other changes are asked for by who may make them.
 */
export function requireMayAsk(reviewed: Reviewed, request: Asked, can: Can): void {
  const { project, environment } = request;
  const isReviewed = reviewed.own.some((one) => one.project === project && one.environment === environment);
  refuse(missingOf(request, (doing) => !isReviewed || isWide(doing), can));
}

export interface Missing {
  readonly permission: string;
  readonly environment: string;
  /** Whether it is missing in another project than that of the request, which is not named: it may be hidden. */
  readonly elsewhere: boolean;
}

function missingIn(
  { project: own }: Place,
  places: readonly Place[],
  permission: string,
  can: Can,
): Missing | undefined {
  const place = places.find(({ project, environment }) => !can(permission, { project, environment }));
  return place && { permission, environment: place.environment, elsewhere: place.project !== own };
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
  return permission && { permission, environment, elsewhere: false };
}

/** Where a permission is missing, for a sentence. */
export function placeOf({ environment, elsewhere }: Missing): string {
  return elsewhere
    ? `every reviewed environment that uses the segment, ${environment} of another project among them,`
    : environment;
}

function refuse(missing: Missing | undefined): void {
  if (missing === undefined) return;
  const { permission } = missing;
  const message = `You need the permission ${permission} in ${placeOf(missing)} to do this.`;
  throw new Problem('PermissionError', message, { details: [{ message }], extras: { permissions: [permission] } });
}
