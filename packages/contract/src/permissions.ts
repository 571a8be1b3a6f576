/** Permissions, with the names of Unleash (docs/spec#permissions), so that roles and scripts can be migrated. */
export const rootPermissions = [
  'ADMIN',
  'CREATE_ADDON',
  'UPDATE_ADDON',
  'DELETE_ADDON',
  'CREATE_CLIENT_API_TOKEN',
  'READ_CLIENT_API_TOKEN',
  'UPDATE_CLIENT_API_TOKEN',
  'DELETE_CLIENT_API_TOKEN',
  'CREATE_FRONTEND_API_TOKEN',
  'READ_FRONTEND_API_TOKEN',
  'UPDATE_FRONTEND_API_TOKEN',
  'DELETE_FRONTEND_API_TOKEN',
  'UPDATE_APPLICATION',
  'CREATE_CONTEXT_FIELD',
  'UPDATE_CONTEXT_FIELD',
  'DELETE_CONTEXT_FIELD',
  'CREATE_PROJECT',
  'READ_ROLE',
  'CREATE_SEGMENT',
  'UPDATE_SEGMENT',
  'DELETE_SEGMENT',
  'CREATE_STRATEGY',
  'UPDATE_STRATEGY',
  'DELETE_STRATEGY',
  'CREATE_TAG_TYPE',
  'UPDATE_TAG_TYPE',
  'DELETE_TAG_TYPE',
  'READ_LOGS',
  'UPDATE_MAINTENANCE_MODE',
  'UPDATE_INSTANCE_BANNERS',
  'UPDATE_CORS',
  'UPDATE_AUTH_CONFIGURATION',
  'RELEASE_PLAN_TEMPLATE_CREATE',
  'RELEASE_PLAN_TEMPLATE_UPDATE',
  'RELEASE_PLAN_TEMPLATE_DELETE',
  'READ_SIGNALS',
] as const;

/** Permissions implied by UPDATE_PROJECT. A role may also grant them separately (docs/spec#permissions). */
export const projectSettingPermissions = [
  'PROJECT_USER_ACCESS_READ',
  'PROJECT_USER_ACCESS_WRITE',
  'PROJECT_DEFAULT_STRATEGY_READ',
  'PROJECT_DEFAULT_STRATEGY_WRITE',
  'PROJECT_CHANGE_REQUEST_READ',
  'PROJECT_CHANGE_REQUEST_WRITE',
  'PROJECT_SETTINGS_READ',
  'PROJECT_SETTINGS_WRITE',
] as const;

export const projectPermissions = [
  'CREATE_FEATURE',
  'UPDATE_FEATURE',
  'DELETE_FEATURE',
  'UPDATE_FEATURE_DEPENDENCY',
  'UPDATE_FEATURE_VARIANTS',
  'MOVE_FEATURE_TOGGLE',
  'UPDATE_PROJECT',
  'DELETE_PROJECT',
  'READ_PROJECT_API_TOKEN',
  'CREATE_PROJECT_API_TOKEN',
  'DELETE_PROJECT_API_TOKEN',
  'UPDATE_PROJECT_CONTEXT',
  'UPDATE_PROJECT_SEGMENT',
  ...projectSettingPermissions,
] as const;

export const environmentPermissions = [
  'CREATE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
  'BREAK_GLASS_CHANGE_REQUEST',
] as const;

/**
 * The permission to make changes directly, with a reason, where they require review. No built-in role grants it, and
 * ADMIN does not imply it.
 */
export const breakGlassPermission = 'BREAK_GLASS_CHANGE_REQUEST';

/** The request header with the reason for breaking glass, encoded with `encodeURIComponent`. */
export const breakGlassHeader = 'Yardarm-Break-Glass';

export type Permission =
  | (typeof rootPermissions)[number]
  | (typeof projectPermissions)[number]
  | (typeof environmentPermissions)[number];

const notHidden = 'everyone who can see a project can see its settings';
const noReleasePlans = 'release plans are not supported';

/**
 * Permissions without effect, with the reason. Roles may have them, for migrated scripts; the role editor does not
 * offer them.
 */
export const permissionsWithoutEffect: Partial<Readonly<Record<Permission, string>>> = {
  UPDATE_FEATURE_VARIANTS: 'variants belong to environments, see UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  PROJECT_DEFAULT_STRATEGY_READ: notHidden,
  PROJECT_CHANGE_REQUEST_READ: notHidden,
  PROJECT_SETTINGS_READ: notHidden,
  RELEASE_PLAN_TEMPLATE_CREATE: noReleasePlans,
  RELEASE_PLAN_TEMPLATE_UPDATE: noReleasePlans,
  RELEASE_PLAN_TEMPLATE_DELETE: noReleasePlans,
};
