import { breakGlassPermission, environmentPermissions, projectSettingPermissions } from '@yardarm/contract';
import type { PermissionScope } from '../../kernel/actor.ts';
import { adminRoleId, builtInGrants, editorRoleId, type Grant, memberRoleId } from './role.ts';

/** What somebody has, themselves and through their groups. */
export interface HeldRoles {
  readonly rootRoles: readonly number[];
  readonly projectRoles: readonly { readonly project: string; readonly roleId: number }[];
  /** What each of these roles grants; one that grants nothing may be absent. */
  readonly grants: ReadonlyMap<number, readonly Grant[]>;
}

/** Projects that are not open to every Editor, with their mode. */
export type ClosedProjects = ReadonlyMap<string, 'protected' | 'private'>;

/** Where each permission holds: in all environments, or in those named. */
type Index = ReadonlyMap<string, 'everywhere' | ReadonlySet<string>>;

const nothing: Index = new Map();
/** What an Editor may do in open projects (docs/spec#projects). */
const ofMembers = indexOf(builtInGrants(memberRoleId));

/** One thing that somebody may do, `*` standing for every project or environment. */
export interface HeldPermission {
  readonly permission: string;
  readonly project?: string;
  readonly environment?: string;
}

/** What an account may do. It asks nobody: it was made from all there is to know, and is made anew when that changes. */
export class Standing {
  readonly isAdmin: boolean;
  readonly #root: Index;
  readonly #projects: ReadonlyMap<string, Index>;
  readonly #closed: ClosedProjects;
  readonly #isEditor: boolean;
  /** Private projects that are none of this account's business. */
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

  /** Projects in which the account, or a group of it, has a role. */
  get projects(): readonly string[] {
    return [...this.#projects.keys()].toSorted();
  }

  /** Whether the account holds `permission` in `scope`; ADMIN implies every permission but that to break glass. */
  can(permission: string, { project, environment }: PermissionScope = {}): boolean {
    if (this.#root.has(permission) || (this.isAdmin && permission !== breakGlassPermission)) return true;
    if (project === undefined) return false;
    if (holds(this.#projects.get(project) ?? nothing, permission, environment)) return true;
    return this.#isEditor && !this.#closed.has(project) && ofMembers.has(permission);
  }

  /** Returns whether the account holds `permission` for the instance, in some project or in some environment. */
  canSomewhere(permission: string): boolean {
    if (this.isAdmin || this.#root.has(permission)) return true;
    if (this.#projects.values().some((index) => index.has(permission))) return true;
    return this.#isEditor && ofMembers.has(permission);
  }

  /** All that the account may do. `projects` are those there are: only those that are open mean something. */
  permissions(projects: readonly string[]): HeldPermission[] {
    const root = [...this.#root.keys()].map((permission) => ({ permission }));
    const own = [...this.#projects].flatMap(([project, index]) => listed(index, project));
    if (this.isAdmin) {
      const admin = root.some(({ permission }) => permission === 'ADMIN') ? root : [{ permission: 'ADMIN' }];
      return [...admin, ...own.filter(({ permission }) => permission === breakGlassPermission)];
    }
    if (!this.#isEditor) return [...root, ...own];
    const open = this.#closed.size === 0 ? ['*'] : projects.filter((project) => !this.#closed.has(project));
    return [...root, ...own, ...open.flatMap((project) => listed(ofMembers, project))];
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

function listed(index: Index, project: string): HeldPermission[] {
  return [...index].flatMap(([permission, where]) => {
    if (where !== 'everywhere') return [...where].map((environment) => ({ permission, project, environment }));
    return [ofEnvironments.has(permission) ? { permission, project, environment: '*' } : { permission, project }];
  });
}
