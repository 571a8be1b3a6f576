import type { Permission } from '@yardarm/contract';
import {
  bypassPermission,
  eventScope,
  mayBreakGlass,
  type ReviewPolicy,
  refusedByReview,
} from '#features/flags/change-control/index.ts';
import { listSegments } from '#features/flags/segments/index.ts';
import type { Author, PermissionScope } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Db } from '#storage/tx.ts';
import type { FlagChange, StateChange } from './changes.ts';

/** A permission that the changes need and the caller lacks. */
export interface MissingPermission {
  /** Any of these permissions is sufficient. */
  readonly permissions: readonly Permission[];
  readonly scope: PermissionScope;
  /**
   * Set when the permission is needed because of review; `breakable` when the caller may break glass in all these
   * places.
   */
  readonly review?: { readonly breakable: boolean };
  /** The names of the entities whose changes need the permission. */
  readonly names: readonly string[];
}

/**
 * Returns the permissions that the caller lacks. Each change needs the permission of its own route, and the permission
 * to bypass review where changes are reviewed.
 */
export async function missingPermissions(
  db: Db,
  caller: Identity,
  changes: readonly StateChange[],
  policy: ReviewPolicy,
): Promise<MissingPermission[]> {
  return [...missingToChange(caller, changes), ...(await missingToSkipReview(db, caller, changes, policy))];
}

/**
 * Returns the permissions of their own routes that the changes need and the caller lacks. The creator of a project
 * becomes its Owner, so changes inside a new project need no permission.
 */
export function missingToChange(caller: Identity, changes: readonly StateChange[]): MissingPermission[] {
  const created = new Set(changes.filter(({ type }) => type === 'project-created').map(({ name }) => name));
  const missing = new Map<string, MissingPermission & { names: string[] }>();
  for (const change of changes) {
    if (change.kind === 'flag' && created.has(change.project ?? '')) continue;
    for (const { permissions, scope } of requiredPermissions(change)) {
      if (permissions.some((permission) => caller.can(permission, scope))) continue;
      const key = JSON.stringify([permissions, scope]);
      const entry = missing.get(key) ?? { permissions, scope, names: [] };
      if (entry.names.at(-1) !== change.name) entry.names.push(change.name);
      missing.set(key, entry);
    }
  }
  return [...missing.values()];
}

/** Returns the permissions to bypass review that the changes need and the caller lacks. */
export async function missingToSkipReview(
  db: Db,
  caller: Identity,
  changes: readonly StateChange[],
  policy: ReviewPolicy,
): Promise<MissingPermission[]> {
  const author = {
    actor: caller.actor,
    can: (permission: string, scope?: PermissionScope) => caller.can(permission, scope),
  };
  const reviewed = await refusedByReview(db, author, await toReviewedEvents(db, changes), policy);
  const breakable = mayBreakGlass(author, reviewed);
  return withoutDuplicates(
    reviewed.map(({ project, environment }) => ({
      permissions: [bypassPermission(policy)],
      review: { breakable },
      // A shared segment may be used in a project that is hidden from the caller, so the project is left out.
      scope: caller.hidden.has(project) ? { environment } : { project, environment },
      names: namesIn(changes, { project, environment }),
    })),
  );
}

/** Returns the names of what the changes change in a reviewed environment. */
function namesIn(changes: readonly StateChange[], place: { readonly project: string; readonly environment: string }) {
  const isIn = ({ type, project, environment }: StateChange) =>
    eventScope({ type, data: undefined }) !== 'none' &&
    (project === null || project === place.project) &&
    (environment === null || environment === place.environment);
  return [...new Set(changes.filter(isIn).map(({ name }) => name))];
}

function withoutDuplicates(missing: readonly MissingPermission[]): MissingPermission[] {
  return [...new Map(missing.map((entry) => [JSON.stringify(entry), entry])).values()];
}

/** Adds the fields that review needs: the id of a segment, and the project that it moves from. */
async function toReviewedEvents(db: Db, changes: readonly StateChange[]) {
  const isOfSegment = ({ type }: StateChange) => type === 'segment-updated';
  const ids = changes.some(isOfSegment)
    ? new Map((await listSegments(db)).map(({ name, id }) => [name, id]))
    : new Map<string, number>();
  return changes.map((change) => {
    if (!isOfSegment(change)) return change;
    const moved = change.fields.find(({ field }) => field === 'project');
    const before = moved === undefined ? change.project : (moved.before ?? null);
    return { ...change, data: { id: ids.get(change.name) }, preData: { project: before } };
  });
}

interface Need {
  readonly permissions: readonly Permission[];
  readonly scope: PermissionScope;
}

/** Changes that can move an entity to another project. */
const movable: ReadonlySet<StateChange['type']> = new Set([
  'segment-updated',
  'context-field-updated',
  'release-plan-template-updated',
]);

/** Moving an entity needs the permission in the old and the new project. */
function requiredPermissions(change: StateChange): readonly Need[] {
  const moved = change.fields.find(({ field }) => field === 'project');
  const isMoved = moved !== undefined && movable.has(change.type);
  if (!isMoved) return [requiredPermission(change)];
  return [
    requiredPermission({ ...change, project: typeof moved.before === 'string' ? moved.before : null }),
    requiredPermission(change),
  ];
}

/** Entities that only administrators may change, including all parts of an installation. */
const forAdministrators: ReadonlySet<StateChange['kind']> = new Set([
  'action-set',
  'environment',
  'tag',
  'user',
  'api-token',
]);

function requiredPermission(change: StateChange): Need {
  if (change.kind === 'flag') return requiredFlagPermission(change);
  const { type, kind, project } = change;
  if (forAdministrators.has(kind)) return { permissions: ['ADMIN'], scope: {} };
  const ofProject = project === null ? {} : { project };
  if (kind === 'project') {
    if (type === 'project-created') return { permissions: ['CREATE_PROJECT'], scope: {} };
    return { permissions: ['UPDATE_PROJECT'], scope: ofProject };
  }
  const verb = type.endsWith('-created') ? 'CREATE' : 'UPDATE';
  if (kind === 'strategy') return { permissions: ['CREATE_STRATEGY'], scope: {} };
  if (kind === 'tag-type') return { permissions: [`${verb}_TAG_TYPE`], scope: {} };
  const [root, own] = ownedPermissions(kind, verb);
  return { permissions: project === null ? [root] : [root, own], scope: ofProject };
}

/** Returns the permission for an entity of all projects, and the one that is enough for an entity of a project. */
function ownedPermissions(
  kind: Exclude<StateChange['kind'], 'flag'>,
  verb: 'CREATE' | 'UPDATE',
): readonly [Permission, Permission] {
  if (kind === 'segment') return [`${verb}_SEGMENT`, 'UPDATE_PROJECT_SEGMENT'];
  if (kind === 'release-template') return [`RELEASE_PLAN_TEMPLATE_${verb}`, 'UPDATE_PROJECT_RELEASE_TEMPLATE'];
  return [`${verb}_CONTEXT_FIELD`, 'UPDATE_PROJECT_CONTEXT'];
}

/** The permission for each change of a flag, in the project or the environment of the change. */
const flagPermissions: Readonly<Record<FlagChange['type'], readonly [Permission, 'project' | 'environment']>> = {
  'feature-created': ['CREATE_FEATURE', 'project'],
  'feature-revived': ['UPDATE_FEATURE', 'project'],
  'feature-archived': ['DELETE_FEATURE', 'project'],
  'feature-metadata-updated': ['UPDATE_FEATURE', 'project'],
  'feature-stale-on': ['UPDATE_FEATURE', 'project'],
  'feature-stale-off': ['UPDATE_FEATURE', 'project'],
  'feature-tagged': ['UPDATE_FEATURE', 'project'],
  'feature-untagged': ['UPDATE_FEATURE', 'project'],
  'feature-link-added': ['UPDATE_FEATURE', 'project'],
  'feature-link-updated': ['UPDATE_FEATURE', 'project'],
  'feature-link-removed': ['UPDATE_FEATURE', 'project'],
  'feature-dependency-added': ['UPDATE_FEATURE_DEPENDENCY', 'project'],
  'feature-dependency-removed': ['UPDATE_FEATURE_DEPENDENCY', 'project'],
  'feature-dependencies-removed': ['UPDATE_FEATURE_DEPENDENCY', 'project'],
  'feature-strategy-add': ['CREATE_FEATURE_STRATEGY', 'environment'],
  'feature-strategy-update': ['UPDATE_FEATURE_STRATEGY', 'environment'],
  'feature-strategy-remove': ['DELETE_FEATURE_STRATEGY', 'environment'],
  'feature-environment-enabled': ['UPDATE_FEATURE_ENVIRONMENT', 'environment'],
  'feature-environment-disabled': ['UPDATE_FEATURE_ENVIRONMENT', 'environment'],
  'feature-environment-variants-updated': ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', 'environment'],
  'release-plan-added': ['CREATE_FEATURE_STRATEGY', 'environment'],
  'release-plan-milestone-started': ['CREATE_FEATURE_STRATEGY', 'environment'],
  'release-plan-updated': ['UPDATE_FEATURE_STRATEGY', 'environment'],
  'release-plan-removed': ['DELETE_FEATURE_STRATEGY', 'environment'],
  'milestone-progression-created': ['UPDATE_FEATURE_STRATEGY', 'environment'],
  'milestone-progression-updated': ['UPDATE_FEATURE_STRATEGY', 'environment'],
  'milestone-progression-deleted': ['UPDATE_FEATURE_STRATEGY', 'environment'],
  'safeguard-changed': ['UPDATE_FEATURE_ENVIRONMENT', 'environment'],
  'safeguard-deleted': ['UPDATE_FEATURE_ENVIRONMENT', 'environment'],
};

function requiredFlagPermission({ type, project, environment, ofPlan }: FlagChange): Need {
  const [permission, of] = flagPermissions[ofPlan === true ? 'release-plan-updated' : type];
  const inProject = { project: project ?? '' };
  const scope = of === 'project' || environment === null ? inProject : { ...inProject, environment };
  return { permissions: [permission], scope };
}

/** Returns the message for a missing permission. */
export function describeMissing({ permissions, scope }: MissingPermission): string {
  const place = [scope.project, scope.environment].filter((part) => part !== undefined).join(', ');
  const required = permissions.length === 1 ? permissions[0] : `one of ${permissions.join(', ')}`;
  return `You need the permission ${required}${place === '' ? '' : ` in ${place}`}`;
}

/**
 * Leaves out permissions that are missing because of review when the caller gives a reason to break glass, which is
 * checked when the change commits.
 */
export function ignoreReviewOnBreakGlass(
  { breakGlassReason }: Pick<Author, 'breakGlassReason'>,
  missing: readonly MissingPermission[],
): readonly MissingPermission[] {
  return breakGlassReason === undefined ? missing : missing.filter(({ review }) => review === undefined);
}

/** Returns whether the caller could apply the changes by breaking glass, which needs a reason. */
export function couldBreakGlass(missing: readonly MissingPermission[]): boolean {
  return missing.length > 0 && missing.every(({ review }) => review?.breakable === true);
}

/**
 * Returns the fields of a refusal that name the missing permissions, and say whether a reason for breaking glass would
 * do.
 */
export function missingExtras(missing: readonly MissingPermission[]) {
  const permissions = [...new Set(missing.flatMap(({ permissions }) => permissions))];
  return { permissions, ...(couldBreakGlass(missing) ? { breakGlass: true } : {}) };
}
