import { environmentPermissions, projectPermissions, rootPermissions } from '@yardarm/contract';
import type { Grant } from '../access/index.ts';

type PermissionType = 'root' | 'project' | 'environment';

/** A permission that roles can grant. `id` is its position in the list; clients may refer to a permission by id. */
export interface KnownPermission {
  readonly id: number;
  readonly name: string;
  readonly type: PermissionType;
}

const byType: Readonly<Record<PermissionType, readonly string[]>> = {
  root: rootPermissions,
  project: projectPermissions,
  environment: environmentPermissions,
};

/**
 * Permissions that were added in later versions. They come last, so that the ids of the others stay. Append new ones.
 */
const addedLater: readonly string[] = ['READ_SIGNALS', 'BREAK_GLASS_CHANGE_REQUEST'];

/** All permissions (docs/spec#permissions). */
export const knownPermissions: readonly KnownPermission[] = (['root', 'project', 'environment'] as const)
  .flatMap((type) => byType[type].map((name) => ({ name, type })))
  .toSorted((a, b) => addedLater.indexOf(a.name) - addedLater.indexOf(b.name))
  .map((permission, index) => ({ id: index + 1, ...permission }));

const byName = new Map(knownPermissions.map((permission) => [permission.name, permission]));

export function findPermission(reference: { readonly id?: number | undefined; readonly name?: string | undefined }) {
  if (reference.name !== undefined) return byName.get(reference.name);
  return knownPermissions[(reference.id ?? 0) - 1];
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

/** `CREATE_CLIENT_API_TOKEN` → `Create client API token`. */
function wordsOf(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\b(api|cors)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
