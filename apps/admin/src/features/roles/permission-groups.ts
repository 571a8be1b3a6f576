import { breakGlassPermission, permissionsWithoutEffect } from '@yardarm/contract/permissions';
import type { Permission, Permissions } from '../../entities/roles/role-queries.ts';

/** A group of permissions in the form. */
export interface PermissionGroup {
  readonly title: string;
  readonly permissions: readonly Permission[];
}

/** Returns the key of a permission: its name, a space and its environment, if any. */
export function keyOf({ name, environment = '' }: Pick<Permission, 'name' | 'environment'>): string {
  return `${name} ${environment}`;
}

/**
 * Returns whether the checkbox of a group also ticks this permission. Break-glass bypasses review, so it has to be
 * ticked itself.
 */
export function isTickedTogether({ name }: Pick<Permission, 'name'>): boolean {
  return name !== breakGlassPermission;
}

/**
 * The subjects of root permissions, in display order. A permission belongs to the first subject whose pattern its name
 * matches.
 */
const subjects = [
  ['API tokens', /API_TOKEN/],
  ['Integrations', /ADDON/],
  ['Context fields', /CONTEXT_FIELD/],
  ['Segments', /SEGMENT/],
  ['Strategies', /STRATEGY/],
  ['Tag types', /TAG_TYPE/],
  ['Release templates', /RELEASE_PLAN/],
  ['Signals and actions', /SIGNALS|ACTIONS|AUTOMATION/],
  ['Instance', /./],
] as const;

/** Returns whether a permission has an effect in this product. */
function hasEffect({ name }: Permission): boolean {
  return !Object.hasOwn(permissionsWithoutEffect, name);
}

/**
 * Returns the permissions that a role can grant: root permissions by subject, or those of projects by environment.
 * Leaves out permissions without effect; roles that have such permissions keep them.
 */
export function groupsOf(
  { root, project, environments }: Permissions,
  ofProjects: boolean,
): readonly PermissionGroup[] {
  if (!ofProjects) {
    const about = ({ name }: Permission) => subjects.find(([, pattern]) => pattern.test(name))?.[0];
    return subjects
      .map(([title]) => ({
        title,
        permissions: root.filter((permission) => hasEffect(permission) && about(permission) === title),
      }))
      .filter(({ permissions }) => permissions.length > 0);
  }
  return [
    { title: 'Project', permissions: project.filter(hasEffect) },
    ...environments.map(({ name, permissions }) => ({
      title: `Environment ${name}`,
      permissions: permissions
        .filter(hasEffect)
        .map((permission) => ({ ...permission, environment: permission.environment ?? name })),
    })),
  ];
}
