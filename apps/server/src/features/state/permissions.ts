import type { Permission } from '@yardarm/contract';
import type { Author, PermissionScope } from '../../kernel/actor.ts';
import type { Identity } from '../../kernel/caller.ts';
import type { Db } from '../../storage/tx.ts';
import { bypassPermission, mayBreakGlass, type ReviewPolicy, refusedByReview } from '../change-control/index.ts';
import { listSegments } from '../segments/index.ts';
import type { StateChange } from './changes.ts';

/** A permission that changes need and a caller lacks. */
export interface MissingPermission {
  /** One of these would do. */
  readonly permissions: readonly Permission[];
  readonly scope: PermissionScope;
  /** Present where it is missing because changes are reviewed there; `breakable` when the caller may break glass in all such places. */
  readonly review?: { readonly breakable: boolean };
  /** Names of what cannot be changed without it. */
  readonly names: readonly string[];
}

/**
 * What the caller lacks to make the changes, where changes are reviewed the permission to skip that among it: for each the permission that the route for that change alone asks for. Who
 * creates a project is its Owner, so nothing is asked for inside of it.
 */
export async function missingPermissions(
  db: Db,
  caller: Identity,
  changes: readonly StateChange[],
  policy: ReviewPolicy,
): Promise<MissingPermission[]> {
  const created = new Set(changes.filter(({ type }) => type === 'project-created').map(({ name }) => name));
  const missing = new Map<string, MissingPermission & { names: string[] }>();
  for (const change of changes) {
    if (change.kind === 'flag' && created.has(change.project ?? '')) continue;
    for (const { permissions, scope } of needsOf(change)) {
      if (permissions.some((one) => caller.can(one, scope))) continue;
      const key = JSON.stringify([permissions, scope]);
      const entry = missing.get(key) ?? { permissions, scope, names: [] };
      if (entry.names.at(-1) !== change.name) entry.names.push(change.name);
      missing.set(key, entry);
    }
  }
  const by = { actor: caller.actor, can: (one: string, scope?: PermissionScope) => caller.can(one, scope) };
  const reviewed = await refusedByReview(db, by, await asEvents(db, changes), policy);
  const breakable = mayBreakGlass(by, reviewed);
  return [
    ...missing.values(),
    ...distinct(
      reviewed.map(({ project, environment }) => ({
        permissions: [bypassPermission(policy)],
        review: { breakable },
        // A segment of all projects may be used in a project that the caller must not know of.
        scope: caller.hidden.has(project) ? { environment } : { project, environment },
        names: [],
      })),
    ),
  ];
}

function distinct(missing: readonly MissingPermission[]): MissingPermission[] {
  return [...new Map(missing.map((one) => [JSON.stringify(one), one])).values()];
}

/** The changes with what review looks at: of a segment its id, and the project that it is taken from. */
async function asEvents(db: Db, changes: readonly StateChange[]) {
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

/** What moves from one project to another, or to all, is taken from the one and given to the other. */
function needsOf(change: StateChange): readonly Need[] {
  const moved = change.fields.find(({ field }) => field === 'project');
  const isMoved = moved !== undefined && (change.type === 'segment-updated' || change.type === 'context-field-updated');
  if (!isMoved) return [needOf(change)];
  return [needOf({ ...change, project: typeof moved.before === 'string' ? moved.before : null }), needOf(change)];
}

/** What only administrators change, and all that an installation has besides its state. */
const forAdministrators: ReadonlySet<StateChange['kind']> = new Set([
  'action-set',
  'environment',
  'tag',
  'user',
  'api-token',
]);

function needOf({ type, kind, project, environment }: StateChange): Need {
  if (forAdministrators.has(kind)) return { permissions: ['ADMIN'], scope: {} };
  const ofProject = project === null ? {} : { project };
  if (kind === 'flag')
    return needOfFlag(type, { project: project ?? '', ...(environment === null ? {} : { environment }) });
  if (kind === 'project') {
    if (type === 'project-created') return { permissions: ['CREATE_PROJECT'], scope: {} };
    return { permissions: ['UPDATE_PROJECT'], scope: ofProject };
  }
  const verb = type.endsWith('-created') ? 'CREATE' : 'UPDATE';
  if (kind === 'strategy') return { permissions: ['CREATE_STRATEGY'], scope: {} };
  if (kind === 'tag-type') return { permissions: [`${verb}_TAG_TYPE`], scope: {} };
  const root: Permission = kind === 'segment' ? `${verb}_SEGMENT` : `${verb}_CONTEXT_FIELD`;
  const own: Permission = kind === 'segment' ? 'UPDATE_PROJECT_SEGMENT' : 'UPDATE_PROJECT_CONTEXT';
  return { permissions: project === null ? [root] : [root, own], scope: ofProject };
}

function needOfFlag(type: StateChange['type'], scope: PermissionScope): Need {
  const inProject = { project: scope.project };
  if (type === 'feature-created') return { permissions: ['CREATE_FEATURE'], scope: inProject };
  if (type === 'feature-archived') return { permissions: ['DELETE_FEATURE'], scope: inProject };
  if (type.startsWith('feature-dependenc')) return { permissions: ['UPDATE_FEATURE_DEPENDENCY'], scope: inProject };
  if (type === 'feature-strategy-add') return { permissions: ['CREATE_FEATURE_STRATEGY'], scope };
  if (type === 'feature-strategy-update') return { permissions: ['UPDATE_FEATURE_STRATEGY'], scope };
  if (type === 'feature-strategy-remove') return { permissions: ['DELETE_FEATURE_STRATEGY'], scope };
  if (type === 'feature-environment-variants-updated')
    return { permissions: ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS'], scope };
  if (type.startsWith('feature-environment-')) return { permissions: ['UPDATE_FEATURE_ENVIRONMENT'], scope };
  return { permissions: ['UPDATE_FEATURE'], scope: inProject };
}

/** What is said of a permission that is missing. */
export function describeMissing({ permissions, scope }: MissingPermission): string {
  const where = [scope.project, scope.environment].filter((one) => one !== undefined).join(', ');
  const which = permissions.length === 1 ? permissions[0] : `one of ${permissions.join(', ')}`;
  return `You need the permission ${which}${where === '' ? '' : ` in ${where}`}`;
}

/** What is missing apart from review, when a reason for breaking glass is given: that is judged when the change commits. */
export function unlessGlassIsBroken(
  { breakGlassReason }: Pick<Author, 'breakGlassReason'>,
  missing: readonly MissingPermission[],
): readonly MissingPermission[] {
  return breakGlassReason === undefined ? missing : missing.filter(({ review }) => review === undefined);
}

/** Returns whether a reason for breaking glass is all that is missing. */
export function couldBreakGlass(missing: readonly MissingPermission[]): boolean {
  return missing.length > 0 && missing.every(({ review }) => review?.breakable === true);
}

/** Returns the fields of a refusal that name the missing permissions, and say whether a reason for breaking glass would do. */
export function missingExtras(missing: readonly MissingPermission[]) {
  const permissions = [...new Set(missing.flatMap((one) => one.permissions))];
  return { permissions, ...(couldBreakGlass(missing) ? { breakGlass: true } : {}) };
}
