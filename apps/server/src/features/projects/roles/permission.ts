import { everyProjectPermissions, permissions } from '@yardarm/contract';
import type { Grant } from '#features/people/access/index.ts';

/** A permission that roles can grant. Clients may refer to a permission by its name or id. */
export interface KnownPermission {
  readonly id: number;
  readonly name: string;
  readonly type: 'root' | 'project' | 'environment';
  /** Whether a root role can grant it, for the instance or for every project that its holder sees. */
  readonly ofRootRoles: boolean;
}

const everyProject: ReadonlySet<string> = new Set(everyProjectPermissions);

/** All permissions (docs/spec#permissions), in the order of their ids. */
export const knownPermissions: readonly KnownPermission[] = Object.entries(permissions)
  .map(([name, { id, type }]) => ({
    id,
    name,
    type,
    ofRootRoles: type === 'root' || everyProject.has(name),
  }))
  .toSorted((a, b) => a.id - b.id);

const byName = new Map(knownPermissions.map((permission) => [permission.name, permission]));
const byId = new Map(knownPermissions.map((permission) => [permission.id, permission]));

export function findPermission({ id, name }: { readonly id?: number | undefined; readonly name?: string | undefined }) {
  if (name !== undefined) return byName.get(name);
  return id === undefined ? undefined : byId.get(id);
}

/** Returns a permission as the API shows it, with the environment it is limited to, if any. */
export function presentPermission({ id, name, type }: KnownPermission, environment: string | null = null) {
  return { id, name, displayName: wordsOf(name), type, ...(environment === null ? {} : { environment }) };
}

/** Returns the permissions of a role as the API shows them, in the order of their ids. */
export function presentGrants(grants: readonly Grant[]) {
  return grants
    .flatMap(({ permission, environment }) => {
      const known = byName.get(permission);
      return known === undefined ? [] : [presentPermission(known, environment)];
    })
    .toSorted((a, b) => a.id - b.id || (a.environment ?? '').localeCompare(b.environment ?? ''));
}

/** Returns the words of a permission name: `CREATE_CLIENT_API_TOKEN` becomes `Create client API token`. */
function wordsOf(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\b(api|cors)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
