import { breakGlassPermission, permissionsWithoutEffect } from '@yardarm/contract/permissions';
import type { Permission, Permissions } from './role-queries.ts';

/** Permissions that are chosen beside each other. */
export interface PermissionGroup {
  readonly title: string;
  readonly permissions: readonly Permission[];
}

/** What tells a permission from all others: its name, and the environment that it holds in. */
export function keyOf({ name, environment = '' }: Pick<Permission, 'name' | 'environment'>): string {
  return `${name} ${environment}`;
}

/** Returns whether a permission is ticked together with the others of its group. Break-glass bypasses review, so it is ticked on purpose. */
export function isTickedTogether({ name }: Pick<Permission, 'name'>): boolean {
  return name !== breakGlassPermission;
}

/** The things that root permissions are about, in the order in which they are shown. */
const subjects = [
  ['API tokens', /API_TOKEN/],
  ['Integrations', /ADDON/],
  ['Context fields', /CONTEXT_FIELD/],
  ['Segments', /SEGMENT/],
  ['Strategies', /STRATEGY/],
  ['Tag types', /TAG_TYPE/],
  ['Instance', /./],
] as const;

/** Whether a permission opens anything here. */
function hasEffect({ name }: Permission): boolean {
  return !Object.hasOwn(permissionsWithoutEffect, name);
}

/**
 * Permissions that a role can grant, in groups: for the whole instance, or in a project and in each of the environments. Without
 * permissions that open nothing here; a role that has one keeps it.
 */
export function groupsOf(
  { root, project, environments }: Permissions,
  ofProjects: boolean,
): readonly PermissionGroup[] {
  if (!ofProjects) {
    const about = ({ name }: Permission) => subjects.find(([, pattern]) => pattern.test(name))?.[0];
    return subjects
      .map(([title]) => ({ title, permissions: root.filter((one) => hasEffect(one) && about(one) === title) }))
      .filter(({ permissions }) => permissions.length > 0);
  }
  return [
    { title: 'Project', permissions: project.filter(hasEffect) },
    ...environments.map(({ name, permissions }) => ({
      title: `Environment ${name}`,
      permissions: permissions.filter(hasEffect).map((one) => ({ ...one, environment: one.environment ?? name })),
    })),
  ];
}
