import { breakGlassPermission, environmentPermissions, projectSettingPermissions } from '@yardarm/contract';
import type { PermissionScope } from '#kernel/actor.ts';
import { adminRoleId, builtInGrants, editorRoleId, type Grant, memberRoleId } from './role.ts';

/** The roles of an account, its own and those of its groups. */
export interface HeldRoles {
  readonly rootRoles: readonly number[];
  readonly projectRoles: readonly { readonly project: string; readonly roleId: number }[];
  /** The permissions of each role by its id; a role without permissions may be absent. */
  readonly grants: ReadonlyMap<number, readonly Grant[]>;
}

/** The mode of each project that is not `open`. In such a project, an Editor does not have the rights of a Member. */
export type ClosedProjects = ReadonlyMap<string, 'protected' | 'private'>;

/** The environments in which each permission holds. */
type Index = ReadonlyMap<string, 'everywhere' | ReadonlySet<string>>;

const nothing: Index = new Map();
/** An Editor has the rights of a Member in each open project (docs/spec#projects). */
const memberRights = indexOf(builtInGrants(memberRoleId));

/** A permission of an account with its scope; `*` stands for every project or environment. */
export interface HeldPermission {
  readonly permission: string;
  readonly project?: string;
  readonly environment?: string;
}

/**
 * The access rights of an account. An object is immutable and does no I/O: a new one is made when roles, groups or
 * projects change.
 */
export class AccessRights {
  readonly isAdmin: boolean;
  readonly #root: Index;
  readonly #projects: ReadonlyMap<string, Index>;
  readonly #closed: ClosedProjects;
  readonly #isEditor: boolean;
  /** Private projects in which the account has no role: the account must not learn that they exist. */
  readonly hidden: ReadonlySet<string>;

  constructor({ rootRoles, projectRoles, grants }: HeldRoles, closed: ClosedProjects) {
    const grantsOf = (roleIds: readonly number[]) => roleIds.flatMap((id) => grants.get(id) ?? []);
    this.#root = indexOf(grantsOf(rootRoles));
    this.isAdmin = rootRoles.includes(adminRoleId) || this.#root.has('ADMIN');
    this.#isEditor = rootRoles.includes(editorRoleId);
    const byProject = Map.groupBy(projectRoles, ({ project }) => project);
    this.#projects = new Map(
      [...byProject].map(([project, held]) => [project, indexOf(grantsOf(held.map(({ roleId }) => roleId)))]),
    );
    this.#closed = closed;
    const unseen = [...closed].filter(([project, mode]) => mode === 'private' && !this.#projects.has(project));
    this.hidden = new Set(this.isAdmin ? [] : unseen.map(([project]) => project));
  }

  /** Projects in which the account or one of its groups has a role. */
  get projects(): readonly string[] {
    return [...this.#projects.keys()].toSorted();
  }

  /**
   * Returns whether the account holds `permission` in `scope`. ADMIN implies every permission except breaking glass. A
   * project permission that a root role grants holds in every project that the account can see.
   */
  can(permission: string, { project, environment }: PermissionScope = {}): boolean {
    if (this.isAdmin && permission !== breakGlassPermission) return true;
    if (this.#root.has(permission)) return project === undefined || !this.hidden.has(project);
    if (project === undefined) return false;
    if (holds(this.#projects.get(project) ?? nothing, permission, environment)) return true;
    return this.#isEditor && !this.#closed.has(project) && memberRights.has(permission);
  }

  /** Returns whether the account holds `permission` for the instance, in some project or in some environment. */
  canSomewhere(permission: string): boolean {
    if (this.isAdmin || this.#root.has(permission)) return true;
    if (this.#projects.values().some((index) => index.has(permission))) return true;
    return this.#isEditor && memberRights.has(permission);
  }

  /**
   * Lists every permission of the account with its scope, except permissions that ADMIN implies. `projects` are the ids
   * of all projects.
   */
  permissions(projects: readonly string[]): HeldPermission[] {
    const root = [...this.#root.keys()].map((permission) => ({ permission }));
    const own = [...this.#projects].flatMap(([project, index]) => listPermissions(index, project));
    if (this.isAdmin)
      return [{ permission: 'ADMIN' }, ...own.filter(({ permission }) => permission === breakGlassPermission)];
    if (!this.#isEditor) return [...root, ...own];
    const open = this.#closed.size === 0 ? ['*'] : projects.filter((project) => !this.#closed.has(project));
    return [...root, ...own, ...open.flatMap((project) => listPermissions(memberRights, project))];
  }
}

function indexOf(grants: readonly Grant[]): Index {
  const index = new Map<string, 'everywhere' | Set<string>>();
  for (const { permission, environment } of grants) {
    const known = index.get(permission);
    if (environment === null) index.set(permission, 'everywhere');
    else if (known === undefined) index.set(permission, new Set([environment]));
    else if (known !== 'everywhere') known.add(environment);
  }
  if (index.has('UPDATE_PROJECT')) for (const part of projectSettingPermissions) index.set(part, 'everywhere');
  return index;
}

function holds(index: Index, permission: string, environment: string | undefined): boolean {
  const where = index.get(permission);
  if (where === undefined || where === 'everywhere') return where !== undefined;
  return environment !== undefined && where.has(environment);
}

const ofEnvironments: ReadonlySet<string> = new Set(environmentPermissions);

function listPermissions(index: Index, project: string): HeldPermission[] {
  return [...index].flatMap(([permission, where]) => {
    if (where !== 'everywhere') return [...where].map((environment) => ({ permission, project, environment }));
    return [ofEnvironments.has(permission) ? { permission, project, environment: '*' } : { permission, project }];
  });
}
